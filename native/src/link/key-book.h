// The ids, keys and time windows of the connections that this process expects.
#pragma once
#include <bitset>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "link/address.h"
#include "link/handshake.h"
#include "link/monotonic.h"

namespace gpumark::link {

struct Expectation {
  WireId id{};
  Key key;
  Ns from = 0;
  Ns until = 0;
  /** The listener that must have accepted it; nullopt: any. */
  std::optional<Address> local;
  /** Connections 0 to streams - 1, each once. */
  int streams = 1;
  /** Called with the authenticated and answered connection; takes ownership of it. */
  std::function<void(std::uint8_t stream, int fd)> deliver;
  /** Called if a peer used this id without its key. */
  std::function<void()> suspect;
  std::bitset<256> used;
};

class KeyBook {
 public:
  /** False if the id is already expected. */
  bool add(const std::shared_ptr<Expectation>& expectation);
  void remove(const WireId& id);
  /** Removes expectations whose window is over. */
  void expire(Ns now);
  /** True while a connection is expected. */
  bool open(Ns now) const;
  /** The expectation that this hello matches, marked as used for this stream; null if there is none. */
  std::shared_ptr<Expectation> claim(const Hello& hello, const Address& local, Ns now);
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::map<WireId, std::shared_ptr<Expectation>> expected_;
};

}  // namespace gpumark::link
