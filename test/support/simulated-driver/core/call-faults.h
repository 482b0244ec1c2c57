// Faults of the n-th call of the driver, or of the n-th path by which it is called (README.md).
#pragma once
#include "core/errors.h"

namespace gpumark::sim {

class Device;

/** Called once by each call of a driver that has started. @returns the code with which this one fails, or 0 */
int strike_call(Vendor vendor);

/** What happens when the work of this launch is executed: `card-lost` and `launch-failure` of a path. */
enum class LaunchFault { none, card_lost, failure };
LaunchFault strike_launch(const Device& device);

}  // namespace gpumark::sim
