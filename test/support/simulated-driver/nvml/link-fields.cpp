// Fields of NVLink links: speed, state, and counters of errors, which changed with Blackwell.
#include "nvml/nvml.h"

namespace gpumark::sim::nvml {
namespace {

/** NVML_FI_DEV_NVLINK_*, with the link as scope. */
constexpr unsigned kSpeed = 164, kState = 165;

struct Counter {
  unsigned field;
  const char* kind;
  bool from_blackwell;
};
constexpr Counter kCounters[] = {
    {161, "nvlink-replay", false},   {162, "nvlink-recovery", false}, {163, "nvlink-crc-flit", false},
    {206, "nvlink-malformed", true}, {207, "nvlink-overrun", true},   {208, "nvlink-receive", true},
    {211, "nvlink-integrity", true}, {212, "nvlink-discards", true},  {214, "nvlink-recovery-failed", true},
    {215, "nvlink-recovery", true},
};

/** MB/s of one direction, as nvidia-smi prints them of P100, V100, A100, H100 and B200. */
unsigned megabytes(int major) {
  return major >= 10 ? 53125 : major == 9 ? 26562 : major == 8 ? 25000 : major == 7 ? 25781 : 19531;
}

constexpr int kUnsignedLongLong = 3;

}  // namespace

bool read_link_field(Device& device, FieldValue& field) {
  const bool exists = field.scope < static_cast<unsigned>(device.architecture.links);
  if (field.field == kSpeed || field.field == kState) {
    const bool active = exists && is_active(device, field.scope);
    if (!exists) {
      field.result = kInvalidArgument;
    } else if (field.field == kState) {
      field.value.ui = active ? 1 : 0;
    } else {
      field.result = active ? give_health(&field.value.ui, device, "nvlink-speed", megabytes(device.architecture.major))
                            : static_cast<int>(kNotSupported);
    }
    return true;
  }
  for (const Counter& counter : kCounters) {
    if (counter.field != field.field || counter.from_blackwell != (device.architecture.major >= 10)) continue;
    field.type = kUnsignedLongLong;
    field.result =
        exists ? link_errors(device, field.scope, counter.kind, &field.value.ull) : static_cast<int>(kInvalidArgument);
    return true;
  }
  return false;
}

}  // namespace gpumark::sim::nvml
