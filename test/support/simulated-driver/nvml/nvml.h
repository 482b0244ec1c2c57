// The simulated part of NVML's interface: constants and structs of nvml.h, and the checks that every call begins with.
#pragma once
#include <string>

#include "core/health.h"
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
  kTimeout = 10,
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

/** nvmlFieldValue_t, with only those members of its union that are used. */
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

/** nvmlViolationTime_t */
struct Violation {
  unsigned long long reference_us, violation_ns;
};

/** nvmlGpuFabricInfo_t */
struct FabricInfo {
  unsigned char cluster[16];
  int status;
  unsigned clique;
  unsigned char state;
};
static_assert(sizeof(FabricInfo) == 28);

/** nvmlGpuFabricInfo_v3_t; version 2 is without the last member. */
struct FabricInfoV {
  unsigned version;
  unsigned char cluster[16];
  int status;
  unsigned clique;
  unsigned char state;
  unsigned health_mask;
  unsigned char health_summary;
};
static_assert(sizeof(FabricInfoV) == 40);

/** nvmlEventData_t */
struct EventData {
  void* device;
  unsigned long long type, data;
  unsigned gpu_instance, compute_instance;
};
static_assert(sizeof(EventData) == 32);

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

/** The object behind a device handle: a card, or a MIG instance on it. */
struct Handle {
  Device* device;
  bool instance;
};

/** "00000000:0A:00.0" */
std::string bus_id(unsigned bus);
bool is_initialised();
/** Null if this is not a handle. */
Handle* handle_of(void* handle);
Handle* card_handle(Device& device);
Handle* instance_handle(Device& device);

/** Describes the device on this bus of domain 0. */
PciInfo pci_info(unsigned bus);

/** body(Handle&) if the handle is valid and its card is not lost; else NVML's code for that error. */
template <class Body>
int with_handle(void* opaque, Body body) {
  if (!is_initialised()) return kUninitialized;
  Handle* handle = handle_of(opaque);
  if (!handle) return kInvalidArgument;
  if (handle->device->lost()) return kGpuIsLost;
  return body(*handle);
}

/** The same for properties that only a whole card has, such as power, clocks and links. */
template <class Body>
int with_card(void* opaque, Body body) {
  return with_handle(
      opaque, [&](Handle& handle) { return handle.instance ? static_cast<int>(kNotSupported) : body(*handle.device); });
}

/** *to = value; a null pointer is an invalid argument. */
template <class To, class Value>
int give(To* to, Value value) {
  if (!to) return kInvalidArgument;
  *to = static_cast<To>(value);
  return kSuccess;
}

/** The card's health with its faults. */
template <class To>
int give_health(To* to, const Device& device, const char* kind, unsigned long long healthy) {
  const HealthReading reading = health(device, kind, healthy);
  if (reading.refusal == HealthReading::Refusal::denied) return kNoPermission;
  return reading.refusal == HealthReading::Refusal::unsupported ? static_cast<int>(kNotSupported)
                                                                : give(to, reading.value);
}

/** Links that are active, of those that the card has (links.cpp). */
bool is_active(Device& device, unsigned link);
/** A counter of errors of one link, by its kind of fault, all of which are on one link. */
int link_errors(Device& device, unsigned link, const char* kind, unsigned long long* count);
/** A field of a link: its speed, its counters; false if the field is none of these (link-fields.cpp). */
bool read_link_field(Device& device, FieldValue& field);

}  // namespace gpumark::sim::nvml
