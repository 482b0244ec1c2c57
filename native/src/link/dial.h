// The dialing side up to the proof: one connection to a node that holds the key.
#pragma once
#include <optional>

#include "link/address.h"
#include "link/handshake.h"
#include "link/monotonic.h"
#include "link/outcome.h"
#include "link/socket.h"
#include "link/stop-flag.h"

namespace gpumark::link {

struct Target {
  Address peer;
  std::optional<Address> source;
  Key key;
  WireId id{};
};

struct Dialled {
  Socket socket;
  Outcome outcome;
  /** From the first attempt to the established connection; 0: none was. */
  Ns connect_time = 0;
};

/** Connects and proves both ends by `deadline`. After the 89 bytes nothing is sent to who cannot answer them. */
Dialled dial_proven(const Target& target, std::uint8_t stream, Ns deadline, const StopFlag& stop);

}  // namespace gpumark::link
