#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

/// ICMP echo through a raw socket in a namespace; the kernel at the other end answers.
class EchoSocket {
 public:
  explicit EchoSocket(const std::string& network_namespace);
  EchoSocket(const EchoSocket&) = delete;
  EchoSocket& operator=(const EchoSocket&) = delete;
  EchoSocket(EchoSocket&& other) noexcept : socket_(other.socket_) { other.socket_ = -1; }
  ~EchoSocket();

  int socket() const { return socket_; }
  /// Errors are ignored: an unreachable neighbour makes later sends fail, which shows as a missing answer.
  void send(const std::string& address, uint16_t number) const;
  /// The number of a waiting answer to this process; -1 if there is none. Other ICMP messages are skipped.
  int take() const;

 private:
  int socket_;
};
