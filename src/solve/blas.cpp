#include "solve/blas.hpp"

#ifndef KORE_HOST_BLAS
#include <cblas.h>
#endif

#include <algorithm>
#include <cmath>
#include <mutex>
#include <new>

#include "base/system.hpp"
#include "kore/error.hpp"

// The OpenBLAS build of NumPy and SciPy has a prefix before every name, so that it can be loaded beside
// another one.
#ifdef KORE_SCIPY_OPENBLAS
#define KORE_BLAS(name) scipy_##name
#else
#define KORE_BLAS(name) name
#endif

// The Fortran interface, which every BLAS has. Behind the arguments come the lengths of the texts, as
// gfortran expects them; a BLAS in C does not look at them.
extern "C" {
void KORE_BLAS(dgemm_)(const char* of_a, const char* of_b, const int* rows, const int* columns,
                       const int* depth, const double* scale, const double* a, const int* a_stride,
                       const double* b, const int* b_stride, const double* keep, double* c,
                       const int* c_stride, std::size_t, std::size_t);
void KORE_BLAS(dtrsm_)(const char* side, const char* triangle, const char* of_l, const char* diagonal,
                       const int* rows, const int* columns, const double* scale, const double* l,
                       const int* l_stride, double* b, const int* b_stride, std::size_t, std::size_t,
                       std::size_t, std::size_t);
void KORE_BLAS(dpotrf_)(const char* triangle, const int* n, double* a, const int* stride, int* info,
                        std::size_t);
void KORE_BLAS(dsyevd_)(const char* job, const char* triangle, const int* n, double* a, const int* stride,
                        double* values, double* work, const int* work_size, int* integers,
                        const int* integers_size, int* info, std::size_t, std::size_t);
}

namespace kore {
namespace {

int narrow(std::size_t n) { return static_cast<int>(n); }

#ifdef KORE_HOST_BLAS

/// What the OpenBLAS of the host has beside BLAS; null in another BLAS.
struct HostOpenBlas {
  int (*get_parallel)() = system::function_named<int()>("openblas_get_parallel");
  int (*get_threads)() = system::function_named<int()>("openblas_get_num_threads");
  void (*set_threads)(int) = system::function_named<void(int)>("openblas_set_num_threads");
};

const HostOpenBlas& host() {
  static const HostOpenBlas found;
  return found;
}

bool is_sequential() { return host().get_parallel != nullptr && host().get_parallel() == 0; }

/// Who calls the engine keeps the host's BLAS at one thread (OneBlasThread).
class OneThread {
 public:
  void begin() {}
  void end() {}
};

#else

bool is_sequential() { return KORE_BLAS(openblas_get_parallel)() == OPENBLAS_SEQUENTIAL; }

/// How many threads OpenBLAS uses while the engine calls it: one, because the engine has its own threads and
/// sums must not be split by the number of cores. OpenBLAS has one number for the whole process, which may be
/// that of a host program that uses the same library, so it is as before once no call is running.
class OneThread {
 public:
  OneThread() {
    // Of a library that is ours alone nobody has set a number. To set it back and forth would start threads.
    if (is_private) KORE_BLAS(openblas_set_num_threads)(1);
  }
  void begin() {
    const std::lock_guard lock(mutex_);
    require_buffer();
    if (calls_++ > 0) return;
    before_ = KORE_BLAS(openblas_get_num_threads)();
    if (before_ != 1) KORE_BLAS(openblas_set_num_threads)(1);
  }
  void end() {
    const std::lock_guard lock(mutex_);
    if (--calls_ == 0 && before_ != 1) KORE_BLAS(openblas_set_num_threads)(before_);
  }

 private:
#ifdef KORE_SCIPY_OPENBLAS
  static constexpr bool is_private = true;
#else
  static constexpr bool is_private = false;
#endif
  /// OpenBLAS keeps a work buffer for every call that runs at the same time. Where there is no memory for one
  /// it ends the process, with words of its own.
  void require_buffer() {
    constexpr std::size_t buffer = std::size_t{33} << 20U;
    if (calls_ < most_calls_) return;
    if (!system::has_room_for(buffer)) throw std::bad_alloc();
    most_calls_ = calls_ + 1;
  }

  std::mutex mutex_;
  int calls_ = 0;
  int most_calls_ = 0;
  int before_ = 1;
};

#endif

// An object of this class exists during every call of BLAS. A sequential build of OpenBLAS shares its work
// buffers without a lock, so calls into it wait for each other.
class BlasCall {
 public:
  BlasCall() : turn_(mutex(), std::defer_lock) {
    static const bool sequential = is_sequential();
    if (sequential) turn_.lock();
    one_thread().begin();
  }
  ~BlasCall() { one_thread().end(); }
  BlasCall(const BlasCall&) = delete;
  BlasCall& operator=(const BlasCall&) = delete;

 private:
  static OneThread& one_thread() {
    static OneThread shared;
    return shared;
  }
  static std::mutex& mutex() {
    static std::mutex shared;
    return shared;
  }
  std::unique_lock<std::mutex> turn_;
};

/// C := scale A B + keep C, with A or B transposed.
void multiply(const char* of_a, const char* of_b, double scale, const double* a, std::size_t rows,
              std::size_t a_stride, const double* b, std::size_t columns, std::size_t b_stride,
              std::size_t depth, double keep, double* c, std::size_t c_stride) {
  const BlasCall call;
  const int m = narrow(rows);
  const int n = narrow(columns);
  const int k = narrow(depth);
  const int leading_a = narrow(a_stride);
  const int leading_b = narrow(b_stride);
  const int leading_c = narrow(c_stride);
  KORE_BLAS(dgemm_)
  (of_a, of_b, &m, &n, &k, &scale, a, &leading_a, b, &leading_b, &keep, c, &leading_c, 1, 1);
}

/// B := L^-1 B and its like, for `rows` rows and `columns` columns of B.
void solve_triangle(const char* side, const char* of_l, const double* l, std::size_t l_stride, double* b,
                    std::size_t rows, std::size_t columns, std::size_t b_stride) {
  const BlasCall call;
  const int m = narrow(rows);
  const int n = narrow(columns);
  const int leading_l = narrow(l_stride);
  const int leading_b = narrow(b_stride);
  const double one = 1;
  KORE_BLAS(dtrsm_)(side, "L", of_l, "N", &m, &n, &one, l, &leading_l, b, &leading_b, 1, 1, 1, 1);
}

}  // namespace

#ifdef KORE_HOST_BLAS

namespace {

/// How many objects keep the host's BLAS at one thread, and how many it had before.
struct KeptThreads {
  std::mutex mutex;
  std::size_t keepers = 0;
  int before = 0;
};
KeptThreads& kept_threads() {
  static KeptThreads kept;
  return kept;
}

}  // namespace

OneBlasThread::OneBlasThread() {
  if (host().set_threads == nullptr || host().get_threads == nullptr) return;
  KeptThreads& kept = kept_threads();
  const std::lock_guard lock(kept.mutex);
  if (kept.keepers++ > 0) return;
  kept.before = host().get_threads();
  if (kept.before > 1) host().set_threads(1);
}

OneBlasThread::~OneBlasThread() {
  if (host().set_threads == nullptr || host().get_threads == nullptr) return;
  KeptThreads& kept = kept_threads();
  const std::lock_guard lock(kept.mutex);
  if (--kept.keepers == 0 && kept.before > 1) host().set_threads(kept.before);
}

#else

OneBlasThread::OneBlasThread() = default;
OneBlasThread::~OneBlasThread() = default;

// OpenBLAS has no function for this. But it ends its threads before every fork, and starts them again only if
// it is to use more than one.
void end_idle_blas_threads() {
  KORE_BLAS(openblas_set_num_threads)(1);  // for good: the program is ours
  system::fork_and_end();
}

#endif

std::size_t factor_lower(double* a, std::size_t n, std::size_t stride) {
  const BlasCall call;
  const int size = narrow(n);
  const int leading = narrow(stride);
  int info = 0;
  KORE_BLAS(dpotrf_)("L", &size, a, &leading, &info, 1);
  const std::size_t refused = info > 0 ? static_cast<std::size_t>(info) : 0;
  // OpenBLAS only checks for pivots of at most zero: NaN and infinity pass.
  for (std::size_t i = 0; i < (refused > 0 ? refused - 1 : n); ++i)
    if (!std::isfinite(a[i * stride + i])) return i + 1;
  return refused;
}

void solve_right_transposed(const double* l, std::size_t n, std::size_t l_stride, double* b, std::size_t rows,
                            std::size_t b_stride) {
  solve_triangle("R", "T", l, l_stride, b, rows, n, b_stride);
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
    solve_triangle("L", "N", diagonal, l_stride, b + first, own, columns, b_stride);
    if (below < n)
      multiply("N", "N", -1.0, diagonal + own, n - below, l_stride, b + first, columns, b_stride, own, 1.0,
               b + below, b_stride);
  }
}

void solve_left_transposed(const double* l, std::size_t n, std::size_t l_stride, double* b,
                           std::size_t columns, std::size_t b_stride) {
  solve_triangle("L", "T", l, l_stride, b, n, columns, b_stride);
}

void subtract_outer(const double* a, std::size_t rows, std::size_t a_stride, const double* b,
                    std::size_t columns, std::size_t b_stride, std::size_t depth, double* c,
                    std::size_t c_stride) {
  multiply("N", "T", -1.0, a, rows, a_stride, b, columns, b_stride, depth, 1.0, c, c_stride);
}

void inner_product(const double* a, std::size_t rows, std::size_t a_stride, const double* b,
                   std::size_t columns, std::size_t b_stride, std::size_t depth, double* c,
                   std::size_t c_stride) {
  multiply("T", "N", 1.0, a, rows, a_stride, b, columns, b_stride, depth, 0.0, c, c_stride);
}

void add_outer(const double* a, std::size_t rows, std::size_t a_stride, const double* b, std::size_t columns,
               std::size_t b_stride, std::size_t depth, double* c, std::size_t c_stride) {
  multiply("N", "T", 1.0, a, rows, a_stride, b, columns, b_stride, depth, 1.0, c, c_stride);
}

void product(const double* a, std::size_t rows, std::size_t a_stride, const double* b, std::size_t columns,
             std::size_t b_stride, std::size_t depth, double* c, std::size_t c_stride) {
  multiply("N", "N", 1.0, a, rows, a_stride, b, columns, b_stride, depth, 0.0, c, c_stride);
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
   &info, 1, 1);
  if (info != 0)
    throw Error(ErrorCode::not_positive_definite, "no_eigenvalues",
                "The eigenvalues of a matrix were not found: it holds numbers that are not finite.");
  return values;
}

}  // namespace kore
