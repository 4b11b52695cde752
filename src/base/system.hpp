#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

/// What the engine and the command ask of the operating system beyond the standard library. Calls that exist
/// on Linux only stand in system.cpp, system_signals.cpp and system_program.cpp, and nowhere else.
namespace kore::system {

/// A file descriptor that is closed with the object.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  void close() noexcept;

 private:
  int number_ = -1;
};

inline constexpr int standard_input = 0;
inline constexpr int standard_output = 1;

enum class Access {
  read,
  overwrite,       ///< Write a file that exists, from its start; what it held is gone.
  create,          ///< Write a file that must not exist yet.
  create_private,  ///< The same, and nobody but the user may read it.
};

// Calls that can fail return the system's error number, or 0; `error_text` words it.

struct Opened {
  Descriptor file;
  int error = 0;
};
Opened open_file(const std::filesystem::path& path, Access access);
/// A file without a name in this folder, to write and read; it goes with its descriptor, however the process
/// ends. An error where the file system has no such files.
Opened open_unnamed(const std::filesystem::path& folder);
/// Where files go that nobody shall see: TMPDIR, or /tmp. Throws `io` where that is no folder.
std::filesystem::path temporary_folder();
/// Marks a file or folder as used by this process, until the descriptor is closed or the process ends in any
/// way. Some file systems have no locks.
enum class Lock { ours, of_another, impossible };
Lock lock(const Descriptor& file);
/// Whether the file still has a name.
bool has_name(const Descriptor& file);
int flush_to_disk(const Descriptor& file);
/// Writes all bytes, however many calls that takes.
int write_all(int descriptor, std::span<const std::byte> bytes);

struct Received {
  std::size_t bytes = 0;  ///< 0 at the end.
  int error = 0;
};
/// Waits for bytes and reads as many as there are, at most a buffer full.
Received read_some(int descriptor, std::span<std::byte> buffer);

struct Pipe {
  Descriptor entrance;  ///< What is written here ...
  Descriptor exit;      ///< ... is read here.
  int error = 0;
};
Pipe make_pipe();
/// A name under which other code can open the descriptor as a file.
std::string path_of(const Descriptor& descriptor);

std::string error_text(int error);

/// Different for every process that runs: part of the names of temporary files.
long process_id();
/// Whether people read the error output as it comes.
bool error_output_is_terminal();
/// In bytes: what the machine has, or less where the process is in a container or under a limit that allows
/// less. Nothing where the system does not tell.
std::optional<std::uint64_t> physical_memory();
/// A function of the program or of a library that it has loaded; null where there is none of this name.
void* symbol_named(const char* name);
template <class Function>
Function* function_named(const char* name) {
  return reinterpret_cast<Function*>(symbol_named(name));
}
/// Whether the process may have this much more memory. It is not taken.
bool has_room_for(std::size_t bytes);
/// Starts a copy of this process that ends at once, and waits for its end. Libraries that have prepared
/// themselves for a fork then do what they prepared.
void fork_and_end();

/// In bytes, with the zero at the end.
inline constexpr std::size_t longest_path = 4096;

/// Removes a file, or a folder with the files in it. Safe to call from a signal handler.
void remove_in_signal_handler(const char* path) noexcept;

/// Calls `clean_up` on Ctrl-C, a hang-up and a request to end; the process then ends as the signal says.
/// Another thread may be about to open a file that it has announced: it gets a moment to do so, and
/// `clean_up` is called again. `clean_up` must be safe to call from a signal handler.
void before_ending_by_signal(void (*clean_up)() noexcept);

}  // namespace kore::system
