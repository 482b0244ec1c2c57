// UUIDs of simulated cards: derived from the ordinal, so they are the same in every process.
#include <cstdio>
#include <cstring>

#include "core/device.h"
#include "core/settings.h"

namespace gpumark::sim {
namespace {

/**
 * The first byte differs between devices, so that a short prefix identifies one: 01, 02, … for cards, 81, 82, … for
 * MIG instances.
 */
std::array<unsigned char, 16> nvidia_uuid(int ordinal, bool mig) {
  return {static_cast<unsigned char>((mig ? 0x81 : 0x01) + ordinal),
          0x51,
          0xd0,
          0xde,
          0x51,
          0x4d,
          0x40,
          0x00,
          0x80,
          0x00,
          0x51,
          0x4d,
          0x55,
          0x1a,
          0x7e,
          0xd0};
}

std::uint64_t amd_unique_id(int ordinal) { return static_cast<std::uint64_t>(ordinal + 1) << 56 | 0x51d0de514d55d0ull; }

std::string dashed(const char* prefix, const std::array<unsigned char, 16>& bytes) {
  std::string text = prefix;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits;
  }
  return text;
}

std::string hexadecimal(std::uint64_t number) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(number));
  return digits;
}

}  // namespace

std::array<unsigned char, 16> make_uuid(Vendor vendor, int ordinal, bool mig) {
  if (vendor == Vendor::nvidia) return nvidia_uuid(ordinal, mig);
  // HIP returns the sixteen digits themselves.
  std::array<unsigned char, 16> bytes;
  std::memcpy(bytes.data(), hexadecimal(amd_unique_id(ordinal)).data(), bytes.size());
  return bytes;
}

bool Device::is_mig() const { return architecture.vendor == Vendor::nvidia && settings().mig; }

std::string Device::uuid_text() const {
  if (architecture.vendor == Vendor::amd) return "GPU-" + hexadecimal(unique_id());
  return dashed(is_mig() ? "MIG-" : "GPU-", uuid);
}

std::string Device::parent_uuid() const { return dashed("GPU-", nvidia_uuid(ordinal, false)); }

std::uint64_t Device::unique_id() const { return amd_unique_id(ordinal); }

}  // namespace gpumark::sim
