// What the runner says: one struct per event of the protocol "gpumark.native/1" (README.md beside this file).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/statistics.h"
#include "protocol/json-object.h"

namespace gpumark {

inline constexpr const char* kProtocol = "gpumark.native/1";

/** ok | no-driver | no-device | driver-too-old | error */
struct Device {
  std::string backend;
  std::string vendor;
  std::string status;
  std::string detail;
  std::string device_id;
  std::optional<std::string> pci_id;
  std::string name;
  std::optional<double> memory_bytes;
  bool simulated = false;
  /** Of GPUs: the device image that the driver took; empty before it was opened. Said as the attribute `image`. */
  std::optional<std::string> image;
  /**
   * Of a slice of a card that this process cannot see beside others: the variable and its value that show it to a
   * process of its own, "CUDA_VISIBLE_DEVICES=MIG-...".
   */
  std::string own_process;
  JsonObject attributes;
};

/** Why a result has no value: this device or build cannot give one, or it should have and did not. */
enum class Absence { failed, hardware };

/** A result without a value must carry a reason: a sentence that says why it is missing. */
struct Result {
  std::string benchmark;
  std::string metric;
  std::optional<double> value;
  std::string reason;
  Absence absence = Absence::failed;
  std::optional<Statistics> stats;
  std::optional<bool> verified;
  std::string engine = "own";
  JsonObject details;
};

/** What copies between two devices reach. Without a figure there is a reason. */
struct Cell {
  std::string source;
  std::string target;
  std::string connection;
  bool peer_access = false;
  /** GB/s from source to target, and of both directions at once, the sum. */
  std::optional<double> simplex_gbs;
  std::optional<double> duplex_gbs;
  std::string reason;
  std::optional<Statistics> stats;
  std::optional<bool> verified;
  JsonObject details;
};

/** How the device stood while a sample was taken, as its sensors last saw it. */
struct Conditions {
  std::optional<double> clock_mhz;
  /** As in Telemetry. */
  std::optional<std::vector<std::string>> throttle;
};

struct Telemetry {
  std::optional<double> power_watts;
  std::optional<double> temperature_celsius;
  std::optional<double> memory_temperature_celsius;
  std::optional<double> clock_mhz;
  std::optional<double> memory_clock_mhz;
  /** Names of the reasons why the device runs below its clock; nothing if nobody says. */
  std::optional<std::vector<std::string>> throttle;
};

struct Failure {
  std::string code;
  std::string message;
  std::string remedy;
};

struct Summary {
  int exit_code = 0;
  bool contended = false;
  std::optional<double> contention_ratio;
};

}  // namespace gpumark
