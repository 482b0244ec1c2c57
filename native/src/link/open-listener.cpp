#include "link/open-listener.h"

namespace gpumark::link {
namespace {

/** Waits for accept; 64 slots of 17 connections may arrive together, and strangers among them. */
constexpr int kBacklog = 2048;

int open_on(const Address& address, Socket& socket) {
  Socket opened(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!opened) return errno;
  const int one = 1;
  // A port of the range is free again at once after a run, in spite of connections in TIME_WAIT.
  setsockopt(opened.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (address.family() == AF_INET6) setsockopt(opened.get(), IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
  if (bind(opened.get(), address.get(), address.length) != 0) return errno;
  if (listen(opened.get(), kBacklog) != 0) return errno;
  socket = std::move(opened);
  return 0;
}

}  // namespace

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

}  // namespace gpumark::link
