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
};

const AmdLibrary<RsmiTable>& rocm_smi();
const AmdLibrary<AmdsmiTable>& amd_smi();

/** Index of the device in ROCm SMI's own order, or -1. */
int rsmi_index(const std::string& pci_id);
/** AMD SMI's handle of the device, or null. */
void* amdsmi_handle(const std::string& pci_id);

}  // namespace gpumark
