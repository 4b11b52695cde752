#include "duckdb/compressed_file.hpp"

#include <zlib.h>

#include <array>
#include <fstream>
#include <span>
#include <vector>

#include "kore/error.hpp"
#include "table/refusals.hpp"

namespace kore::duckdb {
namespace {

constexpr int gzip_only = 16 + MAX_WBITS;
constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

[[noreturn]] void refuse(const std::string& file, std::string_view why) {
  table::refuse_data("damaged_compressed_file", "The compressed file '{file}' {why}. Copy or make it again.",
                     {{"file", file}, {"why", why}});
}

/// Expands a gzip stream and forgets what comes out; zlib checks the length and the sum of every member.
class Expander {
 public:
  explicit Expander(const std::string& file) : file_(file), out_(buffer_bytes) {
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~Expander() { inflateEnd(&stream_); }
  Expander(const Expander&) = delete;
  Expander& operator=(const Expander&) = delete;

  void add(std::span<unsigned char> bytes) {
    stream_.next_in = bytes.data();
    stream_.avail_in = static_cast<uInt>(bytes.size());
    while (stream_.avail_in > 0) {
      if (ended_ && !begin_next_member()) return;
      stream_.next_out = out_.data();
      stream_.avail_out = static_cast<uInt>(out_.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_DATA_ERROR || status == Z_NEED_DICT)
        refuse(file_, "is damaged: its checksum or content is wrong");
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      ended_ = status == Z_STREAM_END;
    }
  }
  bool ended() const { return ended_; }

 private:
  /// Files that were joined have several members, and some writers fill up with zeros.
  bool begin_next_member() {
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (stream_.avail_in == 0) return false;
    inflateReset(&stream_);
    ended_ = false;
    return true;
  }

  const std::string& file_;
  std::vector<unsigned char> out_;
  z_stream stream_{};
  bool ended_ = false;
};

}  // namespace

void check_compressed(const std::string& file) {
  if (!file.ends_with(".gz")) return;
  std::ifstream in(file, std::ios::binary);
  if (!in) return;  // whoever opens it says why it cannot be read
  Expander expander(file);
  std::vector<unsigned char> buffer(buffer_bytes);
  while (in.read(reinterpret_cast<char*>(buffer.data()), static_cast<std::streamsize>(buffer.size())),
         in.gcount() > 0)
    expander.add(std::span(buffer).first(static_cast<std::size_t>(in.gcount())));
  if (in.bad())
    throw Error(ErrorCode::io, "unreadable_file", "The file '{file}' cannot be read to its end.",
                {{"file", file}});
  if (!expander.ended()) refuse(file, "ends too early: it is truncated");
}

bool begins_as_gzip(const std::string& file) {
  std::array<unsigned char, 2> bytes{};
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
  return bytes[0] == 0x1F && bytes[1] == 0x8B;
}

}  // namespace kore::duckdb
