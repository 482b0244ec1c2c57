#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "core/machine.h"

namespace gpumark::sim {
namespace {

using Devices = std::vector<Device*>;

/** Unset: all devices; set but empty: none. */
bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/** The device that an entry names, by its position in `from` or by a unique prefix of its UUID; null if none. */
Device* named(const std::string& entry, const Devices& from, bool by_uuid) {
  if (is_number(entry)) {
    const unsigned long place = std::strtoul(entry.c_str(), nullptr, 10);
    return place < from.size() ? from[place] : nullptr;
  }
  if (!by_uuid || entry.size() <= 4) return nullptr;
  Device* found = nullptr;
  for (Device* device : from) {
    if (device->uuid_text().rfind(entry, 0) != 0) continue;
    if (found) return nullptr;
    found = device;
  }
  return found;
}

/**
 * The devices in the order of the list, up to the first entry that matches none. As in the real drivers, a device that
 * is named twice hides all devices.
 */
Devices select(const char* variable, const Devices& from, bool by_uuid) {
  if (!is_set(variable)) return from;
  Devices chosen;
  std::stringstream list(std::getenv(variable));
  for (std::string entry; std::getline(list, entry, ',');) {
    Device* device = named(trimmed(entry), from, by_uuid);
    if (!device) break;
    if (std::find(chosen.begin(), chosen.end(), device) != chosen.end()) return {};
    chosen.push_back(device);
  }
  return chosen;
}

}  // namespace

std::vector<Device*> visible_devices(Vendor vendor, const std::vector<std::unique_ptr<Device>>& devices) {
  Devices all;
  for (const auto& device : devices) {
    // A card that is to be sliced and has no slice.
    if (!device->has_fault("mig-empty")) all.push_back(device.get());
  }
  if (vendor == Vendor::nvidia) {
    Devices chosen = select("CUDA_VISIBLE_DEVICES", all, true);
    // A process gets only one MIG instance, however many are named.
    if (!chosen.empty() && chosen.front()->is_mig()) chosen.resize(1);
    return chosen;
  }
  const Devices agents = select("ROCR_VISIBLE_DEVICES", all, true);
  // HIP reads CUDA's variable if its own is not set.
  return select(is_set("HIP_VISIBLE_DEVICES") ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES", agents, false);
}

}  // namespace gpumark::sim
