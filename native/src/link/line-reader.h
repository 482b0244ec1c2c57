// Lines from a pipe, through one buffer that is wiped behind them: keys pass through it.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

#include "link/sha256.h"

namespace gpumark::link {

class LineReader {
 public:
  explicit LineReader(int fd) : fd_(fd) {}
  ~LineReader() { wipe(buffer_.data(), buffer_.size()); }
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /** Reads once; false at the end of the input or when it is broken. */
  bool fill();
  /** The next whole line without its end, good until the next call; nothing more: false. The one before it is wiped. */
  bool next(std::string_view& line);
  /** True once after a line longer than 64 KiB, which was dropped. */
  bool dropped();

 private:
  void drop(std::size_t bytes);

  int fd_;
  std::array<char, 65536> buffer_{};
  std::size_t filled_ = 0;
  std::size_t given_ = 0;
  bool skipping_ = false;
  bool dropped_ = false;
};

}  // namespace gpumark::link
