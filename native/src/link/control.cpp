#include "link/control.h"

#include "link/socket.h"

namespace gpumark::link {

MessageBytes encode(const Message& message) {
  MessageBytes bytes{};
  bytes[0] = static_cast<std::uint8_t>(message.word);
  bytes[1] = static_cast<std::uint8_t>(message.direction);
  bytes[2] = message.stream;
  for (std::size_t i = 0; i < 8; ++i) bytes[8 + i] = static_cast<std::uint8_t>(message.number >> (56 - 8 * i));
  return bytes;
}

bool decode(const MessageBytes& bytes, Message& message) {
  if (bytes[0] < 1 || bytes[0] > 5 || bytes[1] < 1 || bytes[1] > 2) return false;
  message.word = static_cast<Word>(bytes[0]);
  message.direction = static_cast<Direction>(bytes[1]);
  message.stream = bytes[2];
  message.number = 0;
  for (std::size_t i = 0; i < 8; ++i) message.number = message.number << 8 | bytes[8 + i];
  return true;
}

int Control::say(const Message& message, Ns deadline) {
  const MessageBytes bytes = encode(message);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = send(fd_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (n > 0) done += static_cast<std::size_t>(n);
    if (n < 0 && !would_block(errno)) return errno;
    if (done < bytes.size() && now_ns() >= deadline) return ETIMEDOUT;
  }
  return 0;
}

Control::Heard Control::hear(Message& message, bool wait, int& error) {
  const ssize_t n = recv(fd_, bytes_.data() + got_, bytes_.size() - got_, wait ? 0 : MSG_DONTWAIT);
  error = n < 0 ? errno : 0;
  if (n == 0 || (n < 0 && !would_block(error))) return Heard::closed;
  if (n > 0) got_ += static_cast<std::size_t>(n);
  if (got_ < bytes_.size()) return Heard::nothing;
  got_ = 0;
  if (decode(bytes_, message)) return Heard::message;
  error = EPROTO;
  return Heard::closed;
}

}  // namespace gpumark::link
