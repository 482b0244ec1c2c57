#include "link/channel.h"

#include <poll.h>
#include <sys/eventfd.h>

namespace gpumark::link {
namespace {

/** Length of the text, big-endian, and its MAC, which also covers the sender and the message number. */
constexpr std::size_t kLengthBytes = 2;
constexpr std::size_t kMacBytes = sizeof(Digest);

}  // namespace

Channel::Channel(const SlotPlan& plan) : plan_(plan), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void Channel::wake() const {
  const std::uint64_t one = 1;
  if (write(wake_.get(), &one, sizeof one) < 0) return;  // already awake
}

bool Channel::say(std::string text) {
  const std::lock_guard<std::mutex> hold(mutex_);
  if (waiting_.size() >= kMostWaiting) return false;
  waiting_.push_back(std::move(text));
  wake();
  return true;
}

void Channel::hang_up() {
  const std::lock_guard<std::mutex> hold(mutex_);
  hanging_up_ = true;
  wake();
}

Digest Channel::mac(Role sender, std::uint64_t number, const std::string& text) const {
  const WireId id = wire_id(plan_.id);
  std::uint8_t head[9] = {static_cast<std::uint8_t>(sender == Role::dial ? 'd' : 'l')};
  for (int i = 0; i < 8; ++i) head[1 + i] = static_cast<std::uint8_t>(number >> (56 - 8 * i));
  HmacSha256 proof(plan_.key.bytes.data(), plan_.key.bytes.size());
  proof.add("say", 3);
  proof.add(id.data(), id.size());
  proof.add(head, sizeof head);
  proof.add(text.data(), text.size());
  return proof.finish();
}

bool Channel::send_waiting(int fd) {
  for (;;) {
    if (unsent_.empty() && !next_frame()) return true;
    const ssize_t n = send(fd, unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0) return would_block(errno);
    unsent_.erase(0, static_cast<std::size_t>(n));
    if (!unsent_.empty()) return true;
  }
}

bool Channel::next_frame() {
  const std::lock_guard<std::mutex> hold(mutex_);
  if (waiting_.empty()) return false;
  const std::string& text = waiting_.front();
  const Digest proof = mac(plan_.role, said_++, text);
  unsent_ += static_cast<char>(text.size() >> 8);
  unsent_ += static_cast<char>(text.size() & 0xff);
  unsent_ += text;
  unsent_.append(reinterpret_cast<const char*>(proof.data()), proof.size());
  waiting_.pop_front();
  return true;
}

bool Channel::read_frames(int fd, const std::function<void(const std::string&)>& heard) {
  char buffer[16384];
  const ssize_t n = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
  if (n == 0) return false;
  if (n < 0) return would_block(errno);
  unread_.append(buffer, static_cast<std::size_t>(n));
  while (unread_.size() >= kLengthBytes) {
    const auto length =
        static_cast<std::size_t>(static_cast<unsigned char>(unread_[0]) << 8 | static_cast<unsigned char>(unread_[1]));
    if (length > kMostSaid) return false;
    if (unread_.size() < kLengthBytes + length + kMacBytes) return true;
    const std::string text = unread_.substr(kLengthBytes, length);
    const Role other = plan_.role == Role::dial ? Role::listen : Role::dial;
    const Digest proof = mac(other, heard_++, text);
    if (!equal_in_constant_time(proof.data(), unread_.data() + kLengthBytes + length, kMacBytes) || heard_ > kMostHeard)
      return false;
    unread_.erase(0, kLengthBytes + length + kMacBytes);
    heard(text);
  }
  return true;
}

void Channel::run(Socket connection, const StopFlag& stop, const std::function<void(const std::string&)>& heard) {
  const Ns end = SlotTimes(plan_).end_by;
  const int fd = connection.get();
  while (!stop.stopped() && now_ns() < end) {
    if (!send_waiting(fd)) return;
    {
      const std::lock_guard<std::mutex> hold(mutex_);
      if (hanging_up_ && waiting_.empty() && unsent_.empty()) return;
    }
    pollfd polled[2] = {{fd, static_cast<short>(unsent_.empty() ? POLLIN : POLLIN | POLLOUT), 0},
                        {wake_.get(), POLLIN, 0}};
    poll(polled, 2, poll_ms(end, kBlockedMs));
    std::uint64_t count = 0;
    if (polled[1].revents != 0 && read(wake_.get(), &count, sizeof count) < 0) continue;
    if (polled[0].revents != 0 && !read_frames(fd, heard)) return;
  }
}

}  // namespace gpumark::link
