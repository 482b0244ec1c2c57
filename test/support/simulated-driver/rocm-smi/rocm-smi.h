// The simulated part of ROCm SMI's interface: constants of rocm_smi.h and the checks at the beginning of every call.
#pragma once
#include <cstdint>

#include "core/health.h"
#include "core/machine.h"
#include "core/settings.h"

#define GPUMARK_SIM_EXPORT extern "C" __attribute__((visibility("default")))

namespace gpumark::sim::rocm {

/** rsmi_status_t */
enum Status : int {
  kSuccess = 0,
  kInvalidArguments = 1,
  kNotSupported = 2,
  kFileError = 3,
  kPermission = 4,
  kInitError = 8,
  kInsufficientSize = 11,
};

/** rsmi_error_count_t */
struct ErrorCount {
  std::uint64_t correctable, uncorrectable;
};

/** rsmi_retired_page_record_t */
struct RetiredPage {
  std::uint64_t address, size;
  int status;
};
static_assert(sizeof(RetiredPage) == 24);

bool is_initialised();

/** body(Device&) for an index that exists. The files of a card that was lost from the bus no longer exist. */
template <class Body>
int with_device(std::uint32_t index, Body body) {
  if (!is_initialised()) return kInitError;
  const auto& devices = machine(Vendor::amd).devices;
  if (index >= devices.size()) return kInvalidArguments;
  if (devices[index]->lost()) return kFileError;
  return body(*devices[index]);
}

/** *to = value. A null pointer asks whether the call is supported; kInvalidArguments means that it is. */
template <class To, class Value>
int give(To* to, Value value) {
  if (!to) return kInvalidArguments;
  *to = static_cast<To>(value);
  return kSuccess;
}

/** The card's health with its faults. */
template <class To>
int give_health(To* to, const Device& device, const char* kind, std::uint64_t healthy) {
  const HealthReading reading = health(device, kind, healthy);
  if (reading.refusal == HealthReading::Refusal::denied) return kPermission;
  return reading.refusal == HealthReading::Refusal::unsupported ? static_cast<int>(kNotSupported)
                                                                : give(to, reading.value);
}

}  // namespace gpumark::sim::rocm
