#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

/// ICMP echo over a raw socket in a namespace; the kernel at the other end answers.
class EchoSocket {
 public:
  explicit EchoSocket(const std::string& network_namespace);
  EchoSocket(const EchoSocket&) = delete;
  EchoSocket& operator=(const EchoSocket&) = delete;
  EchoSocket(EchoSocket&& other) noexcept : socket_(other.socket_) { other.socket_ = -1; }
  ~EchoSocket();

  int socket() const { return socket_; }
  /// An unreachable neighbour makes later sends fail; that is an answer too, and shows as silence.
  void send(const std::string& address, uint16_t number) const;
  /// The number of an answer to this process that is waiting; -1: none (other ICMP is passed over).
  int take() const;

 private:
  int socket_;
};
