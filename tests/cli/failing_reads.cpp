// Loaded before the system's library (LD_PRELOAD): reads of one file fail with EIO, as those of a bad disk
// do, once so many bytes of it were read. KORE_FAILING_FILE is how its path ends, KORE_FAILING_AFTER the
// bytes.
#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <string_view>

namespace {

std::atomic<long> bytes_read{0};

bool is_failing(int descriptor) {
  const char* wanted = std::getenv("KORE_FAILING_FILE");
  if (wanted == nullptr) return false;
  char link[64] = "/proc/self/fd/";
  char* end = link + sizeof "/proc/self/fd/" - 1;
  char digits[16];
  int count = 0;
  do digits[count++] = static_cast<char>('0' + descriptor % 10);
  while ((descriptor /= 10) > 0);
  while (count > 0) *end++ = digits[--count];
  *end = '\0';
  char path[PATH_MAX];
  const ssize_t length = ::readlink(link, path, sizeof path);
  return length > 0 && std::string_view(path, static_cast<std::size_t>(length)).ends_with(wanted);
}

/// A read of the system, unless the file is the one that fails.
template <class Function, class... Arguments>
ssize_t read_or_fail(const char* name, int descriptor, Arguments... arguments) {
  if (is_failing(descriptor)) {
    const char* after = std::getenv("KORE_FAILING_AFTER");
    if (bytes_read >= std::atol(after == nullptr ? "0" : after)) {
      errno = EIO;
      return -1;
    }
  }
  const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
  const ssize_t bytes = real(descriptor, arguments...);
  if (bytes > 0 && is_failing(descriptor)) bytes_read += bytes;
  return bytes;
}

}  // namespace

extern "C" {

ssize_t read(int descriptor, void* to, std::size_t size) {
  return read_or_fail<ssize_t (*)(int, void*, std::size_t)>("read", descriptor, to, size);
}
ssize_t pread(int descriptor, void* to, std::size_t size, off_t at) {
  return read_or_fail<ssize_t (*)(int, void*, std::size_t, off_t)>("pread", descriptor, to, size, at);
}
ssize_t pread64(int descriptor, void* to, std::size_t size, off64_t at) {
  return read_or_fail<ssize_t (*)(int, void*, std::size_t, off64_t)>("pread64", descriptor, to, size, at);
}
ssize_t readv(int descriptor, const iovec* parts, int count) {
  return read_or_fail<ssize_t (*)(int, const iovec*, int)>("readv", descriptor, parts, count);
}
}
