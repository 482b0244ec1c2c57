// PCIe, NVLink and the topology between two cards.
#include "nvml/nvml.h"

namespace gpumark::sim::nvml {
namespace {

constexpr unsigned kMaxGeneration = 5, kWidth = 16;

/** PCI bus number of the first of the four switches. */
constexpr unsigned kSwitchBus = 0xf0;

/** The remote end of a link: none if inactive, else a card, or a switch if `card` is null. */
struct FarEnd {
  bool active = false;
  Device* card = nullptr;
};

/** The link that faults of links are on. */
constexpr unsigned kBadLink = 2;

/** Without switches, each pair of cards has the same number of links. */
FarEnd far_end(Device& device, unsigned link) {
  // Those that are down are the last.
  const auto all = static_cast<unsigned>(device.architecture.links);
  if (link + health(device, "nvlink-inactive", 0).value >= all) return {};
  unsigned first = 0;
  for (const auto& other : machine(Vendor::nvidia).devices) {
    const auto links = static_cast<unsigned>(device.links_to(*other));
    if (link >= first && link < first + links)
      return {.active = true, .card = device.is_switched() ? nullptr : other.get()};
    first += links;
  }
  return {};
}

/** body(Device&, FarEnd) for a link that the card has. */
template <class Body>
int with_link(void* opaque, unsigned link, Body body) {
  return with_card(opaque, [&](Device& device) {
    if (device.architecture.links == 0) return static_cast<int>(kNotSupported);
    if (link >= static_cast<unsigned>(device.architecture.links)) return static_cast<int>(kInvalidArgument);
    return body(device, far_end(device, link));
  });
}

/** body(Device&, Device&) for two cards. */
template <class Body>
int with_pair(void* first, void* second, Body body) {
  return with_card(first,
                   [&](Device& one) { return with_card(second, [&](Device& other) { return body(one, other); }); });
}

}  // namespace

bool is_active(Device& device, unsigned link) { return far_end(device, link).active; }

int link_errors(Device& device, unsigned link, const char* kind, unsigned long long* count) {
  return link == kBadLink ? give_health(count, device, kind, 0) : give(count, 0);
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetMaxPcieLinkGeneration(void* opaque, unsigned* generation) {
  return with_card(opaque, [&](Device&) { return give(generation, kMaxGeneration); });
}

/** An idle link drops to a lower generation, so the real one is only seen under load. */
GPUMARK_SIM_EXPORT int nvmlDeviceGetCurrPcieLinkGeneration(void* opaque, unsigned* generation) {
  return with_card(opaque, [&](Device& device) {
    return device.power.read().busy ? give_health(generation, device, "pcie-generation", kMaxGeneration)
                                    : give(generation, 1);
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetMaxPcieLinkWidth(void* opaque, unsigned* width) {
  return with_card(opaque, [&](Device&) { return give(width, kWidth); });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetCurrPcieLinkWidth(void* opaque, unsigned* width) {
  return with_card(opaque, [&](Device& device) { return give_health(width, device, "pcie-width", kWidth); });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetNvLinkState(void* opaque, unsigned link, int* active) {
  return with_link(opaque, link, [&](Device&, FarEnd end) { return give(active, end.active ? 1 : 0); });
}

/** nvmlNvlinkVersion_t in current headers: 1.0 = 1, 2.0 = 2, 2.2 = 3, 3.0 = 4, 3.1 = 5, 4.0 = 6, 5.0 = 7 */
GPUMARK_SIM_EXPORT int nvmlDeviceGetNvLinkVersion(void* opaque, unsigned link, unsigned* version) {
  return with_link(opaque, link, [&](Device& device, FarEnd) {
    const int major = device.architecture.major;
    return give(version, major >= 10 ? 7 : major == 9 ? 6 : major == 8 ? 4 : major == 7 ? 2 : 1);
  });
}

GPUMARK_SIM_EXPORT int nvmlDeviceGetNvLinkRemotePciInfo_v2(void* opaque, unsigned link, PciInfo* info) {
  return with_link(opaque, link, [&](Device&, FarEnd end) {
    if (!end.active) return static_cast<int>(kNotSupported);
    if (!info) return static_cast<int>(kInvalidArgument);
    *info = end.card ? pci_info(end.card->pci_bus) : pci_info(kSwitchBus + link % 4);
    return static_cast<int>(kSuccess);
  });
}

/**
 * nvmlGpuTopologyLevel_t: 10 same switch, 40 same NUMA node, 50 different nodes. Two neighbouring cards share a PCIe
 * switch, and each half of the cards shares a NUMA node.
 */
GPUMARK_SIM_EXPORT int nvmlDeviceGetTopologyCommonAncestor(void* first, void* second, int* level) {
  return with_pair(first, second, [&](Device& one, Device& other) {
    if (&one == &other) return static_cast<int>(kInvalidArgument);
    if (one.ordinal / 2 == other.ordinal / 2) return give(level, 10);
    const int half = (devices_beside(one) + 2) / 2;
    return give(level, one.ordinal / half == other.ordinal / half ? 40 : 50);
  });
}

/** nvmlGpuP2PCapsIndex_t: 0 read, 1 write, 2 NVLink, 3 atomics, 4 properties. Status 0 is yes, 5 not supported. */
GPUMARK_SIM_EXPORT int nvmlDeviceGetP2PStatus(void* first, void* second, int index, int* status) {
  return with_pair(first, second, [&](Device& one, Device& other) {
    if (index < 0 || index > 4) return static_cast<int>(kInvalidArgument);
    const bool needs_link = index == 2 || index == 3;
    return give(status, needs_link ? (one.links_to(other) > 0 ? 0 : 5) : (one.can_reach(other) ? 0 : 5));
  });
}

}  // namespace gpumark::sim::nvml
