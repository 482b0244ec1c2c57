// ROCm SMI and AMD SMI, loaded once each, and the device handles in them.
#pragma once
#include <cstdint>
#include <string>

#include "sensors/amd-smi-table.h"

namespace gpumark {

template <class Table>
struct AmdLibrary {
  Table call;
  bool usable = false;
  /** Why not: the places that were searched, or what the library lacks. */
  std::string problem;
};

const AmdLibrary<RsmiTable>& rocm_smi();
const AmdLibrary<AmdsmiTable>& amd_smi();

/** Why neither is usable: a sentence without its full stop. */
std::string amd_libraries_problem();
/** Index of the device in ROCm SMI's own order, or -1. */
int rsmi_index(const std::string& pci_id);
/** AMD SMI's handle of the device, or null. */
void* amdsmi_handle(const std::string& pci_id);
/** At least one of them works, and none knows the device: its files are gone from sysfs, which they read. */
bool amd_has_lost(const std::string& pci_id);

}  // namespace gpumark
