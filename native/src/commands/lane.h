// Runs the benchmarks on one device. With several devices every benchmark begins on all of them at once; after that
// some run on one device after the other (schedule.h).
#pragma once
#include <memory>
#include <optional>

#include "commands/find-device.h"
#include "measure/barrier.h"

namespace gpumark {

class Lane {
 public:
  virtual ~Lane() = default;
  /** Runs all benchmarks in order; leaves the barrier at the end. */
  virtual void run() = 0;
  virtual bool opened() const = 0;
  virtual bool any_wrong() const = 0;
  virtual bool any_failed() const = 0;
  virtual std::optional<double> contention_ratio() const = 0;
};

/** @param place of this lane among all, from 0 */
std::unique_ptr<Lane> make_device_lane(const FoundDevice& found, const RunOptions& options, Emitter& emitter,
                                       Barrier& together, int place);
/** For a device that this process cannot open beside others: runs it in a separate process and relays its events. */
std::unique_ptr<Lane> make_process_lane(const FoundDevice& found, const RunOptions& options, Emitter& emitter,
                                        Barrier& together, int place);

}  // namespace gpumark
