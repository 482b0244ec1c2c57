// Who may come: the ids, keys and windows of the connections that this process waits for.
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
  /** The listener it has to come through; nothing: any of ours. */
  std::optional<Address> local;
  /** Connections 0 to streams - 1, each once. */
  int streams = 1;
  /** Gets the connection once it is proven and answered; owns it from then on. */
  std::function<void(std::uint8_t stream, int fd)> deliver;
  /** Somebody used this id without its key. */
  std::function<void()> suspect;
  std::bitset<256> used;
};

class KeyBook {
 public:
  /** False if the id is expected already. */
  bool add(const std::shared_ptr<Expectation>& expectation);
  void remove(const WireId& id);
  /** Forgets what can no longer come. */
  void expire(Ns now);
  /** True while a connection may come. */
  bool open(Ns now) const;
  /** The expectation that this hello proves, which counts as used from now on; null if it proves none. */
  std::shared_ptr<Expectation> claim(const Hello& hello, const Address& local, Ns now);
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::map<WireId, std::shared_ptr<Expectation>> expected_;
};

}  // namespace gpumark::link
