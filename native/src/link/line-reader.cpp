#include "link/line-reader.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace gpumark::link {

bool LineReader::fill() {
  if (filled_ == buffer_.size()) {
    dropped_ = !skipping_;
    skipping_ = true;
    drop(filled_);
  }
  const ssize_t n = read(fd_, buffer_.data() + filled_, buffer_.size() - filled_);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  filled_ += static_cast<std::size_t>(n);
  return n > 0;
}

bool LineReader::next(std::string_view& line) {
  drop(given_);
  given_ = 0;
  for (;;) {
    const void* end = std::memchr(buffer_.data(), '\n', filled_);
    if (!end) return false;
    const auto length = static_cast<std::size_t>(static_cast<const char*>(end) - buffer_.data());
    if (!skipping_) {
      line = {buffer_.data(), length};
      given_ = length + 1;
      return true;
    }
    skipping_ = false;
    drop(length + 1);
  }
}

bool LineReader::dropped() { return std::exchange(dropped_, false); }

void LineReader::drop(std::size_t bytes) {
  std::memmove(buffer_.data(), buffer_.data() + bytes, filled_ - bytes);
  wipe(buffer_.data() + (filled_ - bytes), bytes);
  filled_ -= bytes;
}

}  // namespace gpumark::link
