// All in which one vendor's GPUs differ from another's, apart from what a driver does in its own way (driver.h): a
// table of facts per vendor. Nothing else asks whose a device is. g++ -Wextra -Werror, which builds all of this,
// refuses a table that leaves a fact out.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/driver.h"
#include "library-names.h"
#include "protocol/json-object.h"
#include "sensors/device-sensor.h"

namespace gpumark {

struct PcieLink;
class VendorLibrary;

/** A library that may be installed, and where its packages put it, beside the loader's path. */
struct InstalledLibrary {
  LibraryNames library;
  /** Folders of a toolkit's home: "/lib64". */
  std::vector<const char*> home_folders;
  /**
   * Folders of a Python's packages: below `parent`, those whose names begin with `beginning` (the last name first), and
   * of each `below`.
   */
  struct PackageFolder {
    const char* parent;
    const char* beginning;
    const char* below;
  };
  std::vector<PackageFolder> package_folders;
  /** Conda's own packages lie beside its Python. */
  bool in_conda;
};

/** Where toolkits are installed ("/usr/local/cuda-13.0"), and the variables that name another place. */
struct Toolkit {
  const char* parent;
  const char* name;
  std::vector<const char*> variables;
};

/** A slice of a card that the driver does not show to this process, and the variable that shows it to one of its own.
 */
struct HiddenSlice {
  std::string uuid, name, pci_id, architecture;
  unsigned long long memory_bytes;
  std::string shown_by;
};

struct Vendor {
  /** `vendor` and `backend` of a device event: "nvidia", "cuda". */
  const char* id;
  const char* backend;
  /** The attribute of a device event that says what the driver supports: "cuda_version". */
  const char* version_attribute;
  /** Variables by which a launcher hides devices from a process. */
  std::vector<const char*> visibility_variables;

  LibraryNames driver_library;
  /** The release that brought the last call which is needed: "CUDA 11.4". */
  const char* oldest_release;
  std::unique_ptr<GpuDriver> (*make_driver)();
  GpuAttributes attributes;
  /** Whether a context that a failed kernel ended can be opened anew by the same process. */
  bool renews_contexts;

  /** Whether architectures are numbered as compute capabilities: "sm_90" is 9.0. */
  bool has_compute_capability;
  /** What `sm_count` counts on this architecture, and what data sheets count instead. */
  void (*add_processors)(const GpuDevice& device, JsonObject& attributes);
  /** A last-level cache behind the one that the driver tells of, at most; 0 if there is none. */
  std::size_t untold_cache_bytes;
  /** Of the architecture with the shortest counter of cycles. */
  int cycle_counter_bits;

  Toolkit toolkit;
  /**
   * A call of the runtime that the vendor's libraries are linked with, and its name for people. Streams of one copy of
   * a runtime mean nothing to another, so it must be the driver's own. Null: they load the driver by name, which is
   * there once per process.
   */
  const char* runtime_call;
  const char* runtime_name;
  /** For matrix products; the object that speaks to a loaded one. */
  InstalledLibrary blas;
  std::shared_ptr<VendorLibrary> (*make_blas)(void* loaded);
  /** For collectives: its name, the variable that names its place instead, where it lies. */
  const char* collective_name;
  const char* collective_variable;
  InstalledLibrary collective;

  std::unique_ptr<DeviceSensor> (*make_sensor)(const GpuDevice& device, const std::string& sysfs_root);
  /** What the sensors' library knows of a device at rest, in the attributes of its event. */
  void (*add_facts)(const GpuDevice& device, const std::string& sysfs_root, JsonObject& attributes);
  /** What the sensors' library knows better of the PCIe link than the kernel does. */
  void (*refine_pcie_link)(const std::string& pci_id, PcieLink& link);
  /** Who holds the device's memory beside this process: "process 4711"; empty if that is not known. */
  std::string (*holders)(const GpuDevice& device, bool has_context);
  /** The attribute `mig` of a slice. */
  JsonObject (*describe_slice)(const std::string& name, const std::string& pci_id);
  std::vector<HiddenSlice> (*hidden_slices)();
};

/** All vendors, in the order in which their devices are listed. */
const std::vector<const Vendor*>& vendors();
/** Null if no vendor's backend is called so. */
const Vendor* find_vendor(const std::string& backend);

}  // namespace gpumark
