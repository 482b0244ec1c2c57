#include "collective/wire.h"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collective/settings.h"

namespace gpumark::sim::collective {
namespace {

int prepared(int socket) {
  const int one = 1;
  if (socket >= 0) setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return socket;
}

}  // namespace

int listen_on_own(sockaddr_in& address) {
  address = {};
  address.sin_family = AF_INET;
  if (inet_pton(AF_INET, own_address().c_str(), &address.sin_addr) != 1) return -1;
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  socklen_t length = sizeof address;
  if (listener < 0 || bind(listener, reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(listener, 512) != 0)
    return -1;
  return getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) == 0 ? listener : -1;
}

int accept_one(int listener) {
  for (;;) {
    const int accepted = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted >= 0 || errno != EINTR) return prepared(accepted);
  }
}

int connect_to(const sockaddr_in& address) {
  const int connected = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connected < 0) return -1;
  if (connect(connected, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return prepared(connected);
  close(connected);
  return -1;
}

bool send_all(int socket, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = send(socket, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* data, std::size_t bytes) {
  char* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = recv(socket, at, bytes, MSG_WAITALL);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace gpumark::sim::collective
