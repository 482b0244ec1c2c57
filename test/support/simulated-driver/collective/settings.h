// Settings and faults of the simulated NCCL and RCCL: GPUMARK_SIM_COLLECTIVE_* (listed in README.md).
#pragma once
#include <optional>
#include <string>

namespace gpumark::sim::collective {

/** The version as ncclGetVersion encodes it. */
int version_code();
/**
 * The address on which this process listens: the first IPv4 address of the interface NCCL_SOCKET_IFNAME, or loopback.
 */
std::string own_address();
/** Speed limit of an operation in bytes per second, or 0. */
double pace();
/** Appends a line of JSON to the log, if one is configured. */
void log_line(const std::string& line);
/** The value of kind[@rank][:value] if it is set for this rank or for all; "" if it is set without a value. */
std::optional<std::string> fault(const char* kind, int rank);

}  // namespace gpumark::sim::collective
