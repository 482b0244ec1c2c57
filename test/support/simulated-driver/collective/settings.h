// What is wrong with the simulated NCCL and RCCL: GPUMARK_SIM_COLLECTIVE_*, read once (README.md lists them).
#pragma once
#include <optional>
#include <string>

namespace gpumark::sim::collective {

/** As ncclGetVersion packs it. */
int version_code();
/**
 * Where this process listens and is reached: the first IPv4 address of the interface NCCL_SOCKET_IFNAME, else loopback.
 */
std::string own_address();
/** Bytes per second that an operation may not exceed, or 0. */
double pace();
/** A line of JSON to the log, if there is one. */
void log_line(const std::string& line);
/** The value of kind[@rank][:value] where it is set for this rank or for all ("" without one). */
std::optional<std::string> fault(const char* kind, int rank);

}  // namespace gpumark::sim::collective
