#include "calls/attributes.h"

#include "core/settings.h"

namespace gpumark::sim {
namespace {

/** A small card, so that grids are small: 4 multiprocessors at 1 GHz, memory bandwidth of 128 GB/s. */
constexpr int kMultiprocessors = 4;
constexpr int kClockKhz = 1000000;
constexpr int kMemoryClockKhz = 1000000;
constexpr int kMemoryBusBits = 512;

struct Attribute {
  /**
   * CU_DEVICE_ATTRIBUTE_* in cuda.h and hipDeviceAttribute_t in hip_runtime_api.h since ROCm 5; -1 if the vendor has
   * none.
   */
  int cuda, hip;
  int (*read)(const Device& device);
};

constexpr Attribute kAttributes[] = {
    {1, 56, [](const Device&) { return 1024; }},  // threads per block
    {10, 87, [](const Device& device) { return device.architecture.warp_size; }},
    {13, 5, [](const Device&) { return kClockKhz; }},
    {16, 63, [](const Device&) { return kMultiprocessors; }},
    {18, 16, [](const Device&) { return 0; }},  // integrated
    {19, 3, [](const Device&) { return 1; }},   // maps host memory
    {20, 6, [](const Device&) { return 0; }},   // compute mode: default
    {31, 8, [](const Device&) { return 1; }},   // concurrent kernels
    {32, 0, [](const Device&) { return 1; }},   // ECC enabled
    {33, 67, [](const Device& device) { return static_cast<int>(device.pci_bus); }},
    {34, 68, [](const Device&) { return 0; }},  // PCI device
    {36, 60, [](const Device&) { return kMemoryClockKhz; }},
    {37, 59, [](const Device&) { return kMemoryBusBits; }},
    {38, 19, [](const Device&) { return static_cast<int>(settings().l2_bytes); }},
    {39, 57, [](const Device&) { return 2048; }},  // threads per multiprocessor
    {40, 2, [](const Device&) { return 2; }},      // copy engines
    {41, 85, [](const Device&) { return 1; }},     // unified addressing
    {50, 69, [](const Device&) { return 0; }},     // PCI domain
    {75, 23, [](const Device& device) { return device.architecture.major; }},
    {76, 61, [](const Device& device) { return device.architecture.minor; }},
    {97, -1, [](const Device& device) { return device.architecture.shared_bytes; }},  // shared memory per block, opt-in
    {134, -1, [](const Device&) { return -1; }},                                      // closest NUMA node: unknown
    {-1, 10015, [](const Device&) { return kMultiprocessors; }},                      // physical multiprocessors
    {-1, 10017, [](const Device&) { return 100000; }},                                // wall clock, kHz
};

}  // namespace

bool read_attribute(const Device& device, int attribute, int* value) {
  if (attribute < 0) return false;
  for (const Attribute& known : kAttributes) {
    if ((device.architecture.vendor == Vendor::nvidia ? known.cuda : known.hip) != attribute) continue;
    *value = known.read(device);
    return true;
  }
  return false;
}

}  // namespace gpumark::sim
