// The part of NVML's interface that is simulated: numbers and layouts of nvml.h, and what every call begins with.
#pragma once
#include <string>

#include "core/machine.h"
#include "core/settings.h"

#define GPUMARK_SIM_EXPORT extern "C" __attribute__((visibility("default")))

namespace gpumark::sim::nvml {

/** nvmlReturn_t */
enum Return : int {
  kSuccess = 0,
  kUninitialized = 1,
  kInvalidArgument = 2,
  kNotSupported = 3,
  kNoPermission = 4,
  kNotFound = 6,
  kInsufficientSize = 7,
  kDriverNotLoaded = 9,
  kLibraryNotFound = 12,
  kFunctionNotFound = 13,
  kGpuIsLost = 15,
  kVersionMismatch = 25,
  kUnknown = 999,
};

/** nvmlPciInfo_t */
struct PciInfo {
  char legacy_bus_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};
static_assert(sizeof(PciInfo) == 68);

/** nvmlFieldValue_t; of its union only the two unsigned members are used. */
struct FieldValue {
  unsigned field, scope;
  long long timestamp_us, latency_us;
  int type;
  int result;
  union {
    unsigned ui;
    int si;
    unsigned long long ull;
  } value;
};
static_assert(sizeof(FieldValue) == 40);

/** nvmlTemperature_v1_t */
struct Temperature {
  unsigned version;
  int sensor;
  int celsius;
};

/** nvmlMemory_t */
struct Memory {
  unsigned long long total, free, used;
};

/** nvmlProcessInfo_t of the _v2 and _v3 calls */
struct ProcessInfo {
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
};
static_assert(sizeof(ProcessInfo) == 24);

/** A device handle is one of these, of a card or of a MIG instance on it. */
struct Handle {
  Device* device;
  bool instance;
};

/** "00000000:0A:00.0" */
std::string bus_id(unsigned bus);
/** Between init and shutdown. */
bool is_initialised();
/** Null: not a handle. */
Handle* handle_of(void* handle);
Handle* card_handle(Device& device);
Handle* instance_handle(Device& device);

/** Of whatever is at this bus of domain 0. */
PciInfo pci_info(unsigned bus);

/** body(Handle&) once the handle is sound and its card is there; else the code that NVML has for it. */
template <class Body>
int with_handle(void* opaque, Body body) {
  if (!is_initialised()) return kUninitialized;
  Handle* handle = handle_of(opaque);
  if (!handle) return kInvalidArgument;
  if (handle->device->lost()) return kGpuIsLost;
  return body(*handle);
}

/** The same for what only a whole card has: power, clocks, links. */
template <class Body>
int with_card(void* opaque, Body body) {
  return with_handle(
      opaque, [&](Handle& handle) { return handle.instance ? static_cast<int>(kNotSupported) : body(*handle.device); });
}

/** *to = value, refusing null. */
template <class To, class Value>
int give(To* to, Value value) {
  if (!to) return kInvalidArgument;
  *to = static_cast<To>(value);
  return kSuccess;
}

}  // namespace gpumark::sim::nvml
