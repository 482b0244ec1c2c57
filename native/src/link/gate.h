// The listening side up to authentication: accepts, reads 89 bytes, answers authenticated peers and closes all others
// silently.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "link/key-book.h"
#include "link/socket.h"

namespace gpumark::link {

inline constexpr Ns kProofTime = 400 * kMillisecond;
inline constexpr std::size_t kHalfOpenPerHost = 8;
inline constexpr std::size_t kHalfOpen = 512;
inline constexpr std::size_t kListeners = 64;

class Gate {
 public:
  explicit Gate(KeyBook& book);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /** Listens on the first free port of first..last (0, 0: any). @returns the port, or a negative errno */
  int listen_on(const Address& address, int first, int last);
  /** False if there is no such listener. */
  bool close_listener(const Address& address);

 private:
  struct Listener {
    Socket socket;
    Address address;
  };
  struct HalfOpen {
    Socket socket;
    Address remote;
    Address local;
    Ns opened = 0;
    Hello hello{};
    std::size_t got = 0;
  };
  struct Watch;

  void run();
  void accept_from(int listener, const Address& local);
  void admit(HalfOpen&& half);
  /** True while authentication is pending; false once the connection was handed over or is to be closed. */
  bool read_hello(HalfOpen& half);
  void hand_over(HalfOpen& half);
  void close_late(Ns now);
  void evict(std::size_t index);
  void wake() const;

  KeyBook& book_;
  std::mutex mutex_;
  std::vector<Listener> listeners_;
  /** Oldest first; used only by the gate's thread. */
  std::deque<HalfOpen> half_open_;
  Socket wake_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace gpumark::link
