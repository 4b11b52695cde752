// Loaded before the system's library (LD_PRELOAD): calls of the system go wrong as they do on a bad or a full
// disk, on a file that somebody changes, and where no thread can start. The environment says which and when:
//   KORE_FAULT        reads-fail, file-ends, values-change (reads of one file), disk-full (writes),
//   no-threads KORE_FAULT_FILE   how the path of the file ends; for disk-full, a folder that its path is in
//   KORE_FAULT_AFTER  bytes that are read or written before, or threads that start
#include <dlfcn.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <string_view>

namespace {

std::atomic<long> done{0};  // bytes or threads

bool is_fault(std::string_view name) {
  const char* wanted = std::getenv("KORE_FAULT");
  return wanted != nullptr && name == wanted;
}

long after() {
  const char* wanted = std::getenv("KORE_FAULT_AFTER");
  return wanted == nullptr ? 0 : std::atol(wanted);
}

/// Calls nothing that allocates, because allocations may read.
std::string_view path_of(int descriptor, char (&path)[PATH_MAX]) {
  char link[64] = "/proc/self/fd/";
  char* end = link + sizeof "/proc/self/fd/" - 1;
  char digits[16];
  int count = 0;
  do digits[count++] = static_cast<char>('0' + descriptor % 10);
  while ((descriptor /= 10) > 0);
  while (count > 0) *end++ = digits[--count];
  *end = '\0';
  const ssize_t length = ::readlink(link, path, sizeof path);
  return {path, static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

bool is_named(int descriptor, bool by_folder) {
  const char* wanted = std::getenv("KORE_FAULT_FILE");
  if (wanted == nullptr) return false;
  char path[PATH_MAX];
  const std::string_view found = path_of(descriptor, path);
  return by_folder ? found.find(wanted) != std::string_view::npos : found.ends_with(wanted);
}

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

/// Threes behind a digit become fours: the file is as long as before and still a table of the same columns.
void change(void* to, ssize_t bytes) {
  auto* text = static_cast<char*>(to);
  for (ssize_t i = 1; i < bytes; ++i)
    if (text[i] == '3' && text[i - 1] >= '0' && text[i - 1] <= '9') text[i] = '4';
}

template <class Function, class... Arguments>
ssize_t faulty_read(const char* name, int descriptor, void* to, Arguments... arguments) {
  const bool fails = is_fault("reads-fail");
  const bool ends = is_fault("file-ends");
  const bool changes = is_fault("values-change");
  if (!(fails || ends || changes) || !is_named(descriptor, false))
    return real<Function>(name)(descriptor, to, arguments...);
  const bool now = done >= after();
  if (now && ends) return 0;
  if (now && fails) {
    errno = EIO;
    return -1;
  }
  const ssize_t bytes = real<Function>(name)(descriptor, to, arguments...);
  if (now) change(to, bytes);
  if (bytes > 0) done += bytes;
  return bytes;
}

/// Fewer bytes than wanted fit in, then none.
template <class Function, class... Arguments>
ssize_t faulty_write(const char* name, int descriptor, const void* from, std::size_t size,
                     Arguments... arguments) {
  if (!is_fault("disk-full") || !is_named(descriptor, true))
    return real<Function>(name)(descriptor, from, size, arguments...);
  const long room = after() - done;
  if (room <= 0 && size > 0) {
    errno = ENOSPC;
    return -1;
  }
  const ssize_t bytes =
      real<Function>(name)(descriptor, from, std::min(size, static_cast<std::size_t>(room)), arguments...);
  if (bytes > 0) done += bytes;
  return bytes;
}

/// The first part that is not empty: calls with several parts may do with one, and are made again for the
/// rest.
const iovec* first_part(const iovec* parts, int count) {
  int first = 0;
  while (first < count && parts[first].iov_len == 0) ++first;
  return first < count ? parts + first : nullptr;
}

}  // namespace

extern "C" {

ssize_t read(int descriptor, void* to, std::size_t size) {
  return faulty_read<ssize_t (*)(int, void*, std::size_t)>("read", descriptor, to, size);
}
ssize_t pread(int descriptor, void* to, std::size_t size, off_t at) {
  return faulty_read<ssize_t (*)(int, void*, std::size_t, off_t)>("pread", descriptor, to, size, at);
}
ssize_t pread64(int descriptor, void* to, std::size_t size, off64_t at) {
  return faulty_read<ssize_t (*)(int, void*, std::size_t, off64_t)>("pread64", descriptor, to, size, at);
}
ssize_t readv(int descriptor, const iovec* parts, int count) {
  const iovec* part = first_part(parts, count);
  return part == nullptr ? 0 : read(descriptor, part->iov_base, part->iov_len);
}

ssize_t write(int descriptor, const void* from, std::size_t size) {
  return faulty_write<ssize_t (*)(int, const void*, std::size_t)>("write", descriptor, from, size);
}
ssize_t pwrite(int descriptor, const void* from, std::size_t size, off_t at) {
  return faulty_write<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite", descriptor, from, size,
                                                                         at);
}
ssize_t pwrite64(int descriptor, const void* from, std::size_t size, off64_t at) {
  return faulty_write<ssize_t (*)(int, const void*, std::size_t, off64_t)>("pwrite64", descriptor, from, size,
                                                                           at);
}
ssize_t writev(int descriptor, const iovec* parts, int count) {
  const iovec* part = first_part(parts, count);
  return part == nullptr ? 0 : write(descriptor, part->iov_base, part->iov_len);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (is_fault("no-threads") && done++ >= after()) return EAGAIN;
  return real<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create")(
      thread, attributes, start, argument);
}
}
