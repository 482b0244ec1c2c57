// Issue probes: what their accumulators add up to is known, whatever the hardware.
#pragma once
#include <string>

namespace gpumark::numerics {

/**
 * Checks the probes whose name is `only`, or all; prints a line for each. @returns how many were checked and how many
 * of them are wrong
 */
struct IssueCounts {
  unsigned checked, wrong;
};
IssueCounts check_issue_probes(const std::string& only);

}  // namespace gpumark::numerics
