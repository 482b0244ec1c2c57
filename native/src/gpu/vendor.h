// A table of facts per vendor: everything in which the vendors' GPUs differ, apart from driver operations (driver.h).
// No other code depends on the vendor. g++ -Wextra -Werror, which builds all of this, rejects a table that omits a
// fact.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/driver.h"
#include "installed-libraries.h"
#include "protocol/json-object.h"
#include "sensors/device-sensor.h"

namespace gpumark {

struct PcieLink;
class VendorLibrary;

/** A library that may be installed, and the folders where its packages put it, besides the loader's path. */
struct InstalledLibrary {
  LibraryNames library;
  /** Folders of a toolkit's home: "/lib64". */
  std::vector<const char*> home_folders;
  /**
   * Folders in site-packages: below `parent`, those whose names begin with `beginning`, in descending order, each
   * followed by `below`.
   */
  struct PackageFolder {
    const char* parent;
    const char* beginning;
    const char* below;
  };
  std::vector<PackageFolder> package_folders;
  /** Conda's own packages are in the prefix's lib. */
  bool in_conda;
};

/**
 * A slice of a card that the driver hides from this process, and the variable that shows it to a separate process; or,
 * with a problem, a card that is to be sliced and has no slice, which no process can use.
 */
struct HiddenSlice {
  std::string uuid, name, pci_id, architecture;
  unsigned long long memory_bytes;
  std::string shown_by;
  std::string problem;
};

struct Vendor {
  /** `vendor` and `backend` of a device event: "nvidia", "cuda". */
  const char* id;
  const char* backend;
  /** The attribute of a device event with the driver's supported version: "cuda_version". */
  const char* version_attribute;
  /** Variables by which a launcher hides devices from a process. */
  std::vector<const char*> visibility_variables;

  LibraryNames driver_library;
  /** Where it may be besides the loader's path. */
  std::vector<std::string> (*driver_folders)();
  /** The oldest release that has all required calls: "CUDA 11.4". */
  const char* oldest_release;
  std::unique_ptr<GpuDriver> (*make_driver)();
  GpuAttributes attributes;
  /** Whether the same process can open a new context after a failed kernel destroyed one. */
  bool renews_contexts;
  /** Whether the runtime ends the process in which a kernel faults, instead of reporting an error. */
  bool faults_end_process;

  /** Whether architectures have compute capabilities: "sm_90" is 9.0. */
  bool has_compute_capability;
  /** Adds what `sm_count` counts on this architecture, and what data sheets count instead. */
  void (*add_processors)(const GpuDevice& device, JsonObject& attributes);
  /** Largest size of a last-level cache that the driver does not report; 0 if there is none. */
  std::size_t untold_cache_bytes;
  /** Bits of the cycle counter, on the architecture with the shortest. */
  int cycle_counter_bits;

  Toolkit toolkit;
  /**
   * A call of the runtime that the vendor's libraries are linked with, and the runtime's name for messages. Streams of
   * one copy of a runtime are invalid in another, so it must be the copy used here. Null: the libraries load the driver
   * by name, which exists once per process.
   */
  const char* runtime_call;
  const char* runtime_name;
  /** The library for matrix products, and the factory of its wrapper. */
  InstalledLibrary blas;
  std::shared_ptr<VendorLibrary> (*make_blas)(void* loaded);
  /** The library for collectives: its name, the variable that overrides its location, and where it is installed. */
  const char* collective_name;
  const char* collective_variable;
  InstalledLibrary collective;

  std::unique_ptr<DeviceSensor> (*make_sensor)(const GpuDevice& device, const std::string& sysfs_root);
  /** Adds the sensor library's facts about an idle device to the attributes of its event. */
  void (*add_facts)(const GpuDevice& device, const std::string& sysfs_root, JsonObject& attributes);
  /** Corrects the PCIe link's state where the sensor library knows better than the kernel. */
  void (*refine_pcie_link)(const std::string& pci_id, PcieLink& link);
  /** Other processes that hold the device's memory: "process 4711"; empty if unknown. */
  std::string (*holders)(const GpuDevice& device, bool has_context);
  /** Its telemetry works, and says that the device has left the bus. */
  bool (*has_lost)(const GpuDevice& device);
  /** The attribute `mig` of a slice. */
  JsonObject (*describe_slice)(const std::string& name, const std::string& pci_id);
  std::vector<HiddenSlice> (*hidden_slices)();
};

/** All vendors, in listing order. */
const std::vector<const Vendor*>& vendors();
/** The vendor with this backend name, or null. */
const Vendor* find_vendor(const std::string& backend);

}  // namespace gpumark
