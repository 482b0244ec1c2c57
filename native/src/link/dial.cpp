#include "link/dial.h"

#include <poll.h>

#include <algorithm>
#include <vector>

namespace gpumark::link {
namespace {

/**
 * A lost SYN is retransmitted after 1 s, longer than a slot's whole time to connect: up to three more attempts start
 * while the first is pending, and the first established one is used.
 */
constexpr Ns kNextAttempt = 120 * kMillisecond;
constexpr std::size_t kAttempts = 4;
/** A listener at its limit of half-open connections closes the oldest, which may be ours. */
constexpr int kProofs = 3;
constexpr Ns kNextProof = 20 * kMillisecond;

/** 0, EINPROGRESS or what went wrong. */
int begin_connect(const Target& target, Socket& socket) {
  socket = Socket(::socket(target.peer.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return errno;
  if (target.source) {
    const int one = 1;
    // Defers the choice of port until connect, so that connections to different peers can share one.
    if (target.source->family() == AF_INET)
      setsockopt(socket.get(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
    if (bind(socket.get(), target.source->get(), target.source->length) != 0) return errno;
  }
  return connect(socket.get(), target.peer.get(), target.peer.length) == 0 ? 0 : errno;
}

/**
 * Polls the attempts. @returns 0 if one is established (`winner`), the errno if one has failed, EINPROGRESS otherwise
 */
int look_at(std::vector<Socket>& attempts, int wait_ms, Socket& winner) {
  std::vector<pollfd> polled;
  for (const Socket& one : attempts) polled.push_back({one.get(), POLLOUT, 0});
  poll(polled.data(), polled.size(), wait_ms);
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    if (polled[i].revents == 0) continue;
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(attempts[i].get(), SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) return error;
    winner = std::move(attempts[i]);
    return 0;
  }
  return EINPROGRESS;
}

int connect_by(const Target& target, Ns deadline, const StopFlag& stop, Socket& winner) {
  std::vector<Socket> attempts;
  Ns next = now_ns();
  for (;;) {
    if (stop.stopped()) return ECANCELED;
    if (attempts.size() < kAttempts && now_ns() >= next) {
      Socket socket;
      const int error = begin_connect(target, socket);
      if (error == 0) winner = std::move(socket);
      if (error != EINPROGRESS) return error;
      attempts.push_back(std::move(socket));
      next += kNextAttempt;
    }
    const int error = look_at(attempts, poll_ms(std::min(next, deadline), kBlockedMs), winner);
    if (error != EINPROGRESS) return error;
    if (now_ns() >= deadline) return ETIMEDOUT;
  }
}

Outcome prove(const Target& target, int fd, std::uint8_t stream, Ns deadline, const StopFlag& stop) {
  Nonce nonce;
  if (!make_nonce(nonce)) return {Status::transport_error, Stage::prove, "NO_RANDOM"};
  const Hello hello = make_hello(target.key, target.id, stream, nonce);
  if (send(fd, hello.data(), hello.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(hello.size()))
    return broken(Stage::prove, errno);
  Answer answer{};
  for (std::size_t got = 0; got < answer.size();) {
    const ssize_t n = recv(fd, answer.data() + got, answer.size() - got, 0);
    if (n == 0) return broken(Stage::prove, 0);
    if (n < 0 && !would_block(errno)) return broken(Stage::prove, errno);
    if (n > 0) got += static_cast<std::size_t>(n);
    if (stop.stopped()) return cancelled(Stage::prove);
    if (got < answer.size() && now_ns() >= deadline) return timed_out(Stage::prove);
  }
  if (!answer_proves(target.key, hello, answer)) return {Status::auth_failed, Stage::prove, ""};
  return {};
}

}  // namespace

Dialled dial_proven(const Target& target, std::uint8_t stream, Ns deadline, const StopFlag& stop) {
  Dialled first;
  for (int i = 0; i < kProofs; ++i) {
    Dialled dialled;
    const Ns begun = now_ns();
    const int error = connect_by(target, deadline, stop, dialled.socket);
    if (error != 0) {
      dialled.outcome = connect_failure(error);
    } else {
      dialled.connect_time = std::max<Ns>(1, now_ns() - begun);
      make_blocking(dialled.socket.get());
      dialled.outcome = prove(target, dialled.socket.get(), stream, deadline, stop);
    }
    if (dialled.outcome.ok()) return dialled;
    dialled.socket.reset();
    const bool again =
        dialled.outcome.status == Status::closed && dialled.outcome.stage == Stage::prove && !stop.stopped();
    // The first failure says more than a later one that the peer has gone.
    if (i == 0) first = std::move(dialled);
    if (!again || now_ns() + kNextProof >= deadline) break;
    poll(nullptr, 0, static_cast<int>(kNextProof / kMillisecond));
  }
  return first;
}

}  // namespace gpumark::link
