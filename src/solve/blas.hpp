#pragma once

#include <cstddef>
#include <vector>

namespace kore {

// The few BLAS and LAPACK routines the engine uses, all column-major, lower triangle, on one thread.

/// Ends the threads that OpenBLAS starts, one for each core, when it is loaded. They get no work, but they
/// wait for it actively for 30 ms and keep the cores from a small fit. A program calls this before it starts
/// threads of its own.
void end_idle_blas_threads();

/// Where the engine calls the BLAS of a program that it is a part of (R, KORE_HOST_BLAS), and that BLAS is an
/// OpenBLAS, this keeps it at one thread while an object exists: the engine has threads of its own.
/// Afterwards it has as many as before. In other builds BLAS is the engine's own, and this does nothing.
class OneBlasThread {
 public:
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;
};

/// Cholesky factor of the leading block in place; the first pivot that is not positive and finite (counted
/// from 1), or 0.
std::size_t factor_lower(double* a, std::size_t n, std::size_t stride);
/// B := B L^-T for `rows` rows.
void solve_right_transposed(const double* l, std::size_t n, std::size_t l_stride, double* b, std::size_t rows,
                            std::size_t b_stride);
/// B := L^-1 B, or L^-T B, for `columns` columns.
void solve_left(const double* l, std::size_t n, std::size_t l_stride, double* b, std::size_t columns,
                std::size_t b_stride);
void solve_left_transposed(const double* l, std::size_t n, std::size_t l_stride, double* b,
                           std::size_t columns, std::size_t b_stride);
/// C := C - A B'.
void subtract_outer(const double* a, std::size_t rows, std::size_t a_stride, const double* b,
                    std::size_t columns, std::size_t b_stride, std::size_t depth, double* c,
                    std::size_t c_stride);
/// C := A' B.
void inner_product(const double* a, std::size_t rows, std::size_t a_stride, const double* b,
                   std::size_t columns, std::size_t b_stride, std::size_t depth, double* c,
                   std::size_t c_stride);

/// C := C + A B'.
void add_outer(const double* a, std::size_t rows, std::size_t a_stride, const double* b, std::size_t columns,
               std::size_t b_stride, std::size_t depth, double* c, std::size_t c_stride);
/// C := A B.
void product(const double* a, std::size_t rows, std::size_t a_stride, const double* b, std::size_t columns,
             std::size_t b_stride, std::size_t depth, double* c, std::size_t c_stride);
/// Eigenvalues, rising, of a symmetric matrix whose lower triangle is given; its eigenvectors take its place,
/// column by column.
std::vector<double> eigen_lower(double* a, std::size_t n, std::size_t stride);

}  // namespace kore
