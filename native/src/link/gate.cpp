#include "link/gate.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cstring>

namespace gpumark::link {
namespace {

/** Limit per wake-up and listener, so that a flood of new connections does not starve the half-open ones. */
constexpr int kAcceptsAtOnce = 64;

/** Queue for accept: 64 slots of 17 connections may arrive together, and unknown peers with them. */
constexpr int kBacklog = 2048;

int open_on(const Address& address, Socket& socket) {
  Socket opened(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!opened) return errno;
  const int one = 1;
  // Makes a port reusable right after a run, despite connections in TIME_WAIT.
  setsockopt(opened.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (address.family() == AF_INET6) setsockopt(opened.get(), IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
  if (bind(opened.get(), address.get(), address.length) != 0) return errno;
  if (listen(opened.get(), kBacklog) != 0) return errno;
  socket = std::move(opened);
  return 0;
}

/**
 * Binds and listens on the first free port of first..last (0, 0: one of the kernel's); @returns 0 or an errno; sets the
 * port of `address`
 */
int open_listener(Address& address, int first, int last, Socket& socket) {
  int failure = EADDRINUSE;
  for (int port = first; port <= last; ++port) {
    address.set_port(static_cast<std::uint16_t>(port));
    failure = open_on(address, socket);
    if (failure == 0) break;
    if (failure != EADDRINUSE && failure != EACCES) return failure;
  }
  if (failure != 0) return failure;
  const auto bound = local_address(socket.get());
  if (bound) address.set_port(bound->port());
  return 0;
}

}  // namespace

Gate::Gate(KeyBook& book) : book_(book), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  thread_ = std::thread([this] { run(); });
}

Gate::~Gate() {
  stopping_ = true;
  wake();
  thread_.join();
}

void Gate::wake() const {
  const std::uint64_t one = 1;
  if (write(wake_.get(), &one, sizeof one) < 0) return;  // already awake: the counter is full
}

int Gate::listen_on(const Address& address, int first, int last) {
  const std::lock_guard<std::mutex> hold(mutex_);
  if (listeners_.size() >= kListeners) return -EMFILE;
  for (const Listener& one : listeners_) {
    if (same_host(one.address, address)) return -EALREADY;
  }
  Listener listener;
  listener.address = address;
  const int failure = open_listener(listener.address, first, last, listener.socket);
  if (failure != 0) return -failure;
  const int port = listener.address.port();
  listeners_.push_back(std::move(listener));
  wake();
  return port;
}

bool Gate::close_listener(const Address& address) {
  const std::lock_guard<std::mutex> hold(mutex_);
  const auto found = std::find_if(listeners_.begin(), listeners_.end(),
                                  [&](const Listener& one) { return same_host(one.address, address); });
  if (found == listeners_.end()) return false;
  // A poll in progress keeps the descriptor, and with it the port, in use after close; shutdown stops it from
  // listening.
  shutdown(found->socket.get(), SHUT_RDWR);
  listeners_.erase(found);
  wake();
  return true;
}

void Gate::run() {
  while (!stopping_) {
    std::vector<pollfd> polled = {{wake_.get(), POLLIN, 0}};
    Ns next = now_ns() + 1000 * kMillisecond;
    for (const HalfOpen& half : half_open_) polled.push_back({half.socket.get(), POLLIN, 0});
    if (!half_open_.empty()) next = std::min(next, half_open_.front().opened + kProofTime);
    {
      const std::lock_guard<std::mutex> hold(mutex_);
      for (const Listener& one : listeners_) polled.push_back({one.socket.get(), POLLIN, 0});
    }
    poll(polled.data(), polled.size(), poll_ms(next, 1000));
    std::uint64_t count = 0;
    if ((polled[0].revents & POLLIN) != 0 && read(wake_.get(), &count, sizeof count) < 0) continue;
    const std::size_t waiting = half_open_.size();
    for (std::size_t i = 0; i < waiting; ++i) {
      if (polled[1 + i].revents != 0 && !read_hello(half_open_[i])) half_open_[i].socket.reset();
    }
    half_open_.erase(
        std::remove_if(half_open_.begin(), half_open_.end(), [](const HalfOpen& one) { return !one.socket; }),
        half_open_.end());
    close_late(now_ns());
    // Do not accept from a listener closed meanwhile: its descriptor may have been reused.
    const std::lock_guard<std::mutex> hold(mutex_);
    for (std::size_t i = 1 + waiting; i < polled.size(); ++i) {
      if ((polled[i].revents & POLLIN) == 0) continue;
      for (const Listener& one : listeners_) {
        if (one.socket.get() == polled[i].fd) accept_from(polled[i].fd, one.address);
      }
    }
  }
}

void Gate::accept_from(int listener, const Address& local) {
  for (int i = 0; i < kAcceptsAtOnce; ++i) {
    HalfOpen half;
    half.remote.length = sizeof half.remote.storage;
    half.socket = Socket(accept4(listener, reinterpret_cast<sockaddr*>(&half.remote.storage), &half.remote.length,
                                 SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!half.socket) {
      // Out of descriptors: close the oldest half-open connection.
      if (errno != EMFILE && errno != ENFILE) return;
      if (!half_open_.empty())
        evict(0);
      else
        poll(nullptr, 0, kBlockedMs);  // nothing of ours to close: do not spin
      return;
    }
    half.local = local;
    half.opened = now_ns();
    if (book_.open(half.opened)) admit(std::move(half));
  }
}

void Gate::admit(HalfOpen&& half) {
  // A caller with a key sends its hello at once: usually it has already arrived, and the connection never counts as
  // half-open.
  if (!read_hello(half)) return;
  const auto same = [&](const HalfOpen& one) { return same_host(one.remote, half.remote); };
  if (static_cast<std::size_t>(std::count_if(half_open_.begin(), half_open_.end(), same)) >= kHalfOpenPerHost) {
    evict(static_cast<std::size_t>(std::find_if(half_open_.begin(), half_open_.end(), same) - half_open_.begin()));
  } else if (half_open_.size() >= kHalfOpen) {
    evict(0);
  }
  half_open_.push_back(std::move(half));
}

void Gate::evict(std::size_t index) {
  // Check once more, in case its hello has just arrived.
  read_hello(half_open_[index]);
  half_open_.erase(half_open_.begin() + static_cast<std::ptrdiff_t>(index));
}

bool Gate::read_hello(HalfOpen& half) {
  const ssize_t got = recv(half.socket.get(), half.hello.data() + half.got, half.hello.size() - half.got, MSG_DONTWAIT);
  if (got < 0) return would_block(errno);
  if (got == 0) return false;
  half.got += static_cast<std::size_t>(got);
  if (std::memcmp(half.hello.data(), kMagic.data(), std::min(half.got, kMagic.size())) != 0) return false;
  if (half.got < half.hello.size()) return true;
  hand_over(half);
  return false;
}

void Gate::hand_over(HalfOpen& half) {
  const std::shared_ptr<Expectation> expected = book_.claim(half.hello, half.local, now_ns());
  Nonce nonce;
  if (!expected || !make_nonce(nonce)) return;
  const Answer answer = make_answer(expected->key, half.hello, nonce);
  // 48 bytes fit into an empty send buffer, unless the connection is broken.
  if (send(half.socket.get(), answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL) !=
      static_cast<ssize_t>(answer.size()))
    return;
  make_blocking(half.socket.get());
  expected->deliver(stream_of(half.hello), half.socket.release());
}

void Gate::close_late(Ns now) {
  while (!half_open_.empty() && now - half_open_.front().opened >= kProofTime) half_open_.pop_front();
}

}  // namespace gpumark::link
