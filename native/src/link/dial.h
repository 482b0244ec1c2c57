// The dialing side up to authentication: one connection to a node that holds the key.
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
  /** From the first attempt to the established connection; 0: not established. */
  Ns connect_time = 0;
};

/**
 * Connects and authenticates both ends by `deadline`. After the 89 bytes of the hello nothing is sent to a peer that
 * has not answered correctly.
 */
Dialled dial_proven(const Target& target, std::uint8_t stream, Ns deadline, const StopFlag& stop);

}  // namespace gpumark::link
