// The parameters of one slot, and the deadlines of its stages.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "link/address.h"
#include "link/handshake.h"
#include "link/monotonic.h"

namespace gpumark::link {

enum class Role { dial, listen };
enum class Mode { measure, channel };

struct SlotPlan {
  std::string id;
  Key key;
  Role role = Role::dial;
  Mode mode = Mode::measure;
  /** Listener: its address. Dialer: the source address, if any. */
  std::optional<Address> local;
  Address peer;
  Ns start = 0;
  Ns length = 0;
  /** Measured connections, numbered from 1; connection 0 carries messages. */
  int streams = 1;
  Ns ping_pause = 0;
  /** Bytes per direction; 0: no cap. */
  std::uint64_t cap = 0;
};

inline constexpr int kMostStreams = 16;
/** The listener is ready this long before `start`. */
inline constexpr Ns kReadyBefore = 300 * kMillisecond;
/**
 * The dialer begins this long after `start`: clocks may differ by this in one direction and the listener's 300 ms in
 * the other.
 */
inline constexpr Ns kDialAfter = 100 * kMillisecond;
inline constexpr Ns kGuard = 250 * kMillisecond;
inline constexpr Ns kProve = 400 * kMillisecond;
inline constexpr Ns kPing = 300 * kMillisecond;
inline constexpr Ns kSlack = 250 * kMillisecond;
/** Reserve: the report is sent this long before the end of the slot, even on a busy machine. */
inline constexpr Ns kReport = 100 * kMillisecond;
inline constexpr Ns kFixed = kGuard + kProve + kPing + kSlack;

/** Absolute deadlines of the stages. A stage that ends early does not wait: the later stages gain the time. */
struct SlotTimes {
  explicit SlotTimes(const SlotPlan& plan)
      : dial_at(plan.start + kDialAfter),
        prove_by(plan.start + kGuard + kProve),
        ping_by(prove_by + kPing),
        direction((plan.length - kFixed) / 2),
        forward_by(ping_by + direction),
        reverse_by(forward_by + direction),
        end_by(plan.start + plan.length - kReport) {}
  Ns dial_at;
  Ns prove_by;
  Ns ping_by;
  /** Duration of one direction: one third warm-up, two thirds measured. */
  Ns direction;
  Ns forward_by;
  Ns reverse_by;
  Ns end_by;
  Ns warm() const { return direction / 3; }
  Ns measured() const { return direction - direction / 3; }
};

}  // namespace gpumark::link
