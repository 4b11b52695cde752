#include "solve/blas.hpp"

#include <cblas.h>
#include <gtest/gtest.h>

#include <thread>

#ifdef KORE_SCIPY_OPENBLAS
#define KORE_BLAS(name) scipy_##name
#else
#define KORE_BLAS(name) name
#endif

namespace kore {
namespace {

void factor_a_few() {
  for (int i = 0; i < 200; ++i) {
    std::vector<double> a{4, 2, 2, 3};
    ASSERT_EQ(factor_lower(a.data(), 2, 2), 0U);
    ASSERT_DOUBLE_EQ(a[0], 2);
  }
}

TEST(Blas, LeavesTheThreadsOfAHostProgramAsTheyWere) {
  factor_a_few();  // what is done once is done
  const int before = KORE_BLAS(openblas_get_num_threads)();
  KORE_BLAS(openblas_set_num_threads)(3);
  factor_a_few();
  EXPECT_EQ(KORE_BLAS(openblas_get_num_threads)(), 3);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(factor_a_few);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(KORE_BLAS(openblas_get_num_threads)(), 3);
  KORE_BLAS(openblas_set_num_threads)(before);
}

}  // namespace
}  // namespace kore
