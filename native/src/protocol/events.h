// What the runner says: one struct per event of the protocol "gpumark.native/1" (native/README.md).
#pragma once
#include <cstdint>
#include <optional>
#include <string>

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

struct Telemetry {
  std::optional<double> power_watts;
  std::optional<double> temperature_celsius;
  std::optional<double> clock_mhz;
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
