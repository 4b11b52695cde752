#include "solve/blas.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/system.hpp"
#include "kore/error.hpp"

// The OpenBLAS build of NumPy and SciPy has a prefix before every name, so that it can be loaded beside
// another one.
#ifdef KORE_SCIPY_OPENBLAS
#define KORE_BLAS(name) scipy_##name
#else
#define KORE_BLAS(name) name
#endif

extern "C" void KORE_BLAS(dpotrf_)(const char* triangle, const int* n, double* a, const int* stride,
                                   int* info);
extern "C" void KORE_BLAS(dsyevd_)(const char* job, const char* triangle, const int* n, double* a,
                                   const int* stride, double* values, double* work, const int* work_size,
                                   int* integers, const int* integers_size, int* info);

namespace kore {
namespace {

int narrow(std::size_t n) { return static_cast<int>(n); }

// An object of this class exists during every call of OpenBLAS. The first one sets OpenBLAS to one thread,
// for the whole process: the engine has its own threads, and OpenBLAS must not split sums by the number of
// cores. A sequential build of OpenBLAS shares its work buffers without a lock, so calls into it wait for
// each other.
class BlasCall {
 public:
  BlasCall() : turn_(mutex(), std::defer_lock) {
    static const bool sequential = [] {
      KORE_BLAS(openblas_set_num_threads)(1);
      return KORE_BLAS(openblas_get_parallel)() == OPENBLAS_SEQUENTIAL;
    }();
    if (sequential) turn_.lock();
  }

 private:
  static std::mutex& mutex() {
    static std::mutex shared;
    return shared;
  }
  std::unique_lock<std::mutex> turn_;
};

/// C := scale A B + keep C, with A or B transposed.
void multiply(CBLAS_TRANSPOSE of_a, CBLAS_TRANSPOSE of_b, double scale, const double* a, std::size_t rows,
              std::size_t a_stride, const double* b, std::size_t columns, std::size_t b_stride,
              std::size_t depth, double keep, double* c, std::size_t c_stride) {
  const BlasCall call;
  KORE_BLAS(cblas_dgemm)
  (CblasColMajor, of_a, of_b, narrow(rows), narrow(columns), narrow(depth), scale, a, narrow(a_stride), b,
   narrow(b_stride), keep, c, narrow(c_stride));
}

void solve_left_at_once(CBLAS_TRANSPOSE of_l, const double* l, std::size_t n, std::size_t l_stride, double* b,
                        std::size_t columns, std::size_t b_stride) {
  const BlasCall call;
  KORE_BLAS(cblas_dtrsm)
  (CblasColMajor, CblasLeft, CblasLower, of_l, CblasNonUnit, narrow(n), narrow(columns), 1.0, l,
   narrow(l_stride), b, narrow(b_stride));
}

}  // namespace

// OpenBLAS has no function for this. But it ends its threads before every fork, and starts them again only if
// it is to use more than one.
void end_idle_blas_threads() {
  { const BlasCall one_thread_from_now_on; }
  system::fork_and_end();
}

std::size_t factor_lower(double* a, std::size_t n, std::size_t stride) {
  const BlasCall call;
  const int size = narrow(n);
  const int leading = narrow(stride);
  int info = 0;
  KORE_BLAS(dpotrf_)("L", &size, a, &leading, &info);
  const std::size_t refused = info > 0 ? static_cast<std::size_t>(info) : 0;
  // OpenBLAS only checks for pivots of at most zero: NaN and infinity pass.
  for (std::size_t i = 0; i < (refused > 0 ? refused - 1 : n); ++i)
    if (!std::isfinite(a[i * stride + i])) return i + 1;
  return refused;
}

void solve_right_transposed(const double* l, std::size_t n, std::size_t l_stride, double* b, std::size_t rows,
                            std::size_t b_stride) {
  const BlasCall call;
  KORE_BLAS(cblas_dtrsm)
  (CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, narrow(rows), narrow(n), 1.0, l,
   narrow(l_stride), b, narrow(b_stride));
}

void solve_left(const double* l, std::size_t n, std::size_t l_stride, double* b, std::size_t columns,
                std::size_t b_stride) {
  // OpenBLAS's dtrsm has a quarter of the speed of its matrix products. So products do everything except the
  // diagonal blocks.
  constexpr std::size_t step = 64;
  constexpr std::size_t worth_products = 16;  // columns
  const std::size_t height = columns < worth_products ? n : step;
  for (std::size_t first = 0; first < n; first += height) {
    const std::size_t own = std::min(height, n - first);
    const std::size_t below = first + own;
    const double* diagonal = l + first * l_stride + first;
    solve_left_at_once(CblasNoTrans, diagonal, own, l_stride, b + first, columns, b_stride);
    if (below < n)
      multiply(CblasNoTrans, CblasNoTrans, -1.0, diagonal + own, n - below, l_stride, b + first, columns,
               b_stride, own, 1.0, b + below, b_stride);
  }
}

void solve_left_transposed(const double* l, std::size_t n, std::size_t l_stride, double* b,
                           std::size_t columns, std::size_t b_stride) {
  solve_left_at_once(CblasTrans, l, n, l_stride, b, columns, b_stride);
}

void subtract_outer(const double* a, std::size_t rows, std::size_t a_stride, const double* b,
                    std::size_t columns, std::size_t b_stride, std::size_t depth, double* c,
                    std::size_t c_stride) {
  multiply(CblasNoTrans, CblasTrans, -1.0, a, rows, a_stride, b, columns, b_stride, depth, 1.0, c, c_stride);
}

void inner_product(const double* a, std::size_t rows, std::size_t a_stride, const double* b,
                   std::size_t columns, std::size_t b_stride, std::size_t depth, double* c,
                   std::size_t c_stride) {
  multiply(CblasTrans, CblasNoTrans, 1.0, a, rows, a_stride, b, columns, b_stride, depth, 0.0, c, c_stride);
}

void add_outer(const double* a, std::size_t rows, std::size_t a_stride, const double* b, std::size_t columns,
               std::size_t b_stride, std::size_t depth, double* c, std::size_t c_stride) {
  multiply(CblasNoTrans, CblasTrans, 1.0, a, rows, a_stride, b, columns, b_stride, depth, 1.0, c, c_stride);
}

void product(const double* a, std::size_t rows, std::size_t a_stride, const double* b, std::size_t columns,
             std::size_t b_stride, std::size_t depth, double* c, std::size_t c_stride) {
  multiply(CblasNoTrans, CblasNoTrans, 1.0, a, rows, a_stride, b, columns, b_stride, depth, 0.0, c, c_stride);
}

std::vector<double> eigen_lower(double* a, std::size_t n, std::size_t stride) {
  const BlasCall call;
  const int size = narrow(n);
  const int leading = narrow(stride);
  int info = 0;
  std::vector<double> values(n);
  std::vector<double> work(1 + 6 * n + 2 * n * n);
  std::vector<int> integers(3 + 5 * n);
  const int work_size = narrow(work.size());
  const int integers_size = narrow(integers.size());
  KORE_BLAS(dsyevd_)
  ("V", "L", &size, a, &leading, values.data(), work.data(), &work_size, integers.data(), &integers_size,
   &info);
  if (info != 0)
    throw Error(ErrorCode::not_positive_definite, "no_eigenvalues",
                "The eigenvalues of a matrix were not found: it holds numbers that are not finite.");
  return values;
}

}  // namespace kore
