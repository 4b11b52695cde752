#pragma once

#include <cstddef>
#include <cstdint>

/// The one model of memory: what fits take by their number of columns, and how a limit on memory is shared
/// between the rows that are kept, reading, and fits.
namespace kore {

/// A Gram matrix of `p` columns has `p^2` numbers.
inline constexpr double gram_bytes_per_squared_column = sizeof(double);

/// One fit of `p` columns to rows in memory takes about so many bytes times `p^2`: the Gram matrix, its
/// strips while rows are added, its factor, and the inverse with its strips for leave-one-out.
inline constexpr double fit_bytes_per_squared_column = 60;

/// The same for a fit that shares its passes with others: all of them keep strips, factors and inverses at
/// the same time, and the threads' sums beside them.
inline constexpr double shared_fit_bytes_per_squared_column = 100;

/// A fit whose rows are on other machines holds about so many matrices of the Gram's size in one process: as
/// received, merged, factored, inverted and sent.
inline constexpr int gram_copies_of_a_distributed_fit = 6;

/// The memory limit where none was given: half of the machine's memory.
std::uint64_t default_memory_limit();
/// All the memory that this process may use, in bytes.
std::uint64_t available_memory();

/// The part of a limit that encoded rows may take. A table that needs more is read again in every pass.
constexpr std::uint64_t memory_for_rows(std::uint64_t limit) { return limit / 2; }

/// The part of a limit for reading files.
constexpr std::uint64_t memory_for_reading(std::uint64_t limit) { return limit / 4; }

/// The part of a limit for fits.
constexpr std::uint64_t memory_for_fits(std::uint64_t limit) { return limit / 4; }

/// The most columns of a fit that fits into so many bytes.
std::size_t columns_in_memory(std::uint64_t bytes);

}  // namespace kore
