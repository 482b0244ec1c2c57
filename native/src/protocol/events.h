// One struct per event of the protocol "gpumark.native/1" (README.md beside this file).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/statistics.h"
#include "protocol/json-object.h"

namespace gpumark {

inline constexpr const char* kProtocol = "gpumark.native/1";

/** As in `stats` of a result: n, min, max, median, p5, p95, cv. */
JsonObject statistics_object(const Statistics& s);

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
  /**
   * Of GPUs: the device image that the driver accepted; empty before the device is opened. Emitted as the attribute
   * `image`.
   */
  std::optional<std::string> image;
  /**
   * Of a slice of a card that this process cannot see beside others: the environment setting that shows it to a
   * separate process, "CUDA_VISIBLE_DEVICES=MIG-...".
   */
  std::string own_process;
  JsonObject attributes;
};

/** Why a result has no value. hardware: this device or build cannot give one; failed: it should have, but did not. */
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

/** Bandwidth of copies between two devices. Has a reason if it has no figure. */
struct Cell {
  std::string source;
  std::string target;
  std::string connection;
  bool peer_access = false;
  /** GB/s from source to target, and the sum of both directions at once. */
  std::optional<double> simplex_gbs;
  std::optional<double> duplex_gbs;
  std::string reason;
  /** Of the two figures, in their order. */
  std::optional<Statistics> stats;
  std::optional<Statistics> duplex_stats;
  std::optional<bool> verified;
  JsonObject details;
};

/** State of the device while a sample was taken, as its sensors last read it. */
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
  /** Names of the throttle reasons; nullopt if unknown. */
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
