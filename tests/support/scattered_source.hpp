#pragma once

#include <functional>
#include <stdexcept>
#include <vector>

#include "kore/pass.hpp"
#include "support/made_up_rows.hpp"

namespace kore::test {

/// Rows in several places that only tasks can reach, as on a cluster: blocks cannot be read, every pass goes
/// out as bytes and comes back as bytes. Places are of uneven sizes; some are empty, and merging is a tree.
class ScatteredSource final : public RowSource {
 public:
  explicit ScatteredSource(const Rows& rows, std::vector<std::size_t> sizes = {0, 3, 700, 0, 41, 150, 0})
      : columns_(rows.columns) {
    std::size_t first = 0;
    for (std::size_t i = 0; first < rows.count; ++i) {
      const std::size_t length = std::min(sizes[i % sizes.size()], rows.count - first);
      places_.push_back(rows.slice(first, length));
      first += length;
    }
    places_.push_back(rows.slice(0, 0));
  }

  std::size_t columns() const override { return columns_; }
  void for_each_block(const std::function<void(const RowBlock&)>& /*visit*/) const override {
    throw std::logic_error("these rows are elsewhere");
  }
  void run(Pass& pass, int /*threads*/) const override {
    kinds_.push_back(pass.facts().kind);
    const std::vector<std::byte> task = pass.task();
    std::vector<std::vector<std::byte>> results;
    for (const Rows& place : places_) {
      const auto work = pass_from_task(task);
      if (place.count > 0) {  // in two blocks, where there are enough
        const Rows head = place.slice(0, place.count / 2);
        const Rows tail = place.slice(place.count / 2, place.count - place.count / 2);
        work->add(head.block(), 1);
        work->add(tail.block(), 1);
      }
      results.push_back(work->serialize());
    }
    while (results.size() > 1) {
      std::vector<std::vector<std::byte>> merged;
      for (std::size_t i = 0; i < results.size(); i += 3) {
        const auto work = pass_from_task(task);
        for (std::size_t j = i; j < std::min(i + 3, results.size()); ++j) work->merge(results[j]);
        merged.push_back(work->serialize());
      }
      results = std::move(merged);
    }
    pass.merge(results.front());
  }
  /// Of the passes that were run, in their order.
  const std::vector<std::string>& kinds() const { return kinds_; }

 private:
  std::size_t columns_;
  std::vector<Rows> places_;
  mutable std::vector<std::string> kinds_;
};

}  // namespace kore::test
