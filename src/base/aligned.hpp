#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "base/checked.hpp"

namespace kore {

/// Zero-initialised doubles on a cache-line boundary, for kernels that load whole vectors.
class AlignedBuffer {
 public:
  static constexpr std::align_val_t alignment{64};

  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size)
      : data_(static_cast<double*>(::operator new[](checked_product(size, sizeof(double)), alignment))),
        size_(size) {
    clear();
  }

  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::span<double> span() { return {data(), size_}; }
  std::span<const double> span() const { return {data(), size_}; }
  void clear() { std::fill_n(data_.get(), size_, 0.0); }

 private:
  struct Release {
    void operator()(double* p) const { ::operator delete[](p, alignment); }
  };
  std::unique_ptr<double[], Release> data_;
  std::size_t size_ = 0;
};

}  // namespace kore
