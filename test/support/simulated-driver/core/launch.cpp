// Executes a launch: checks access to memory, applies faults and runs the kernel.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "core/kernel-table.h"
#include "core/load-model.h"
#include "core/memory-map.h"
#include "core/pause.h"
#include "core/settings.h"

namespace gpumark::sim {
namespace {

/**
 * Keeps the memory that the kernel accesses alive. False if it may not access some of it: not allocated, or on a peer
 * without access enabled.
 */
bool hold(Device& device, const std::vector<Span>& spans, std::vector<std::shared_ptr<Allocation>>* held) {
  for (const Span& span : spans) {
    if (span.bytes == 0) continue;
    auto allocation = memory_map().find(span.address, span.bytes);
    if (!allocation || !device.reaches(allocation->device())) return false;
    held->push_back(std::move(allocation));
  }
  return true;
}

/** Flips one bit in the kernel's first output, at a different place each time, so that repeated results differ. */
void flip_bit(const std::vector<Span>& spans, std::uint64_t launch) {
  for (const Span& span : spans) {
    if (!span.written || span.bytes == 0) continue;
    auto* bytes = reinterpret_cast<unsigned char*>(span.address);
    bytes[launch * 8191 % span.bytes] ^= static_cast<unsigned char>(1u << launch % 8);
    return;
  }
}

/**
 * Whether the fault applies to this kernel: the one that it names, or all that begin with what is before a `*`, and
 * only after the one behind `>` has run.
 */
bool strikes(const char* kind, Device& device, const Kernel& kernel) {
  const Fault* fault = settings().fault(kind, device.ordinal);
  if (!fault) return false;
  const std::size_t mark = fault->value.find('>');
  const std::string name = fault->value.substr(0, mark);
  const bool is_named = !name.empty() && name.back() == '*'
                            ? std::strncmp(kernel.name, name.c_str(), name.size() - 1) == 0
                            : (name.empty() ? "gpumark_triad" : name) == kernel.name;
  if (!is_named) return false;
  return mark == std::string::npos || device.has_run(fault->value.substr(mark + 1));
}

/**
 * A walk through more memory than the L2 cache holds is up to twice as slow; on a real card the difference is larger.
 * It is simulated because the host's own caches are larger, have several levels and are shared with other processes.
 */
double memory_drag(const Kernel& kernel, const std::vector<Span>& spans) {
  if (std::strcmp(kernel.name, "gpumark_walk") != 0) return 0;
  const double times_cache = static_cast<double>(spans.front().bytes) / static_cast<double>(settings().l2_bytes);
  return std::clamp(times_cache - 1, 0.0, 1.0);
}

}  // namespace

int run_launch(Device& device, const Kernel& kernel, const void* arguments, unsigned blocks, std::size_t shared_bytes) {
  if (const int code = device.count_launch()) return code;
  if (load_model().runs(kernel.name)) {
    load_model().run_product();
    return kOk;
  }
  const std::vector<Span> spans = kernel.spans(arguments, blocks);
  std::vector<std::shared_ptr<Allocation>> held;
  if (!hold(device, spans, &held)) return kIllegalAddress;
  if (strikes("kernel-failure", device, kernel)) return kLaunchFailed;
  if (strikes("kernel-abort", device, kernel)) std::abort();
  set_kernel_device(&device);
  const auto begin = std::chrono::steady_clock::now();
  if (!kernel.run(arguments, blocks, shared_bytes)) return kLaunchFailed;
  const double drag = memory_drag(kernel, spans);
  if (drag > 0)
    pause_for(std::chrono::duration_cast<std::chrono::nanoseconds>((std::chrono::steady_clock::now() - begin) * drag));
  if (strikes("flip-bit", device, kernel)) flip_bit(spans, device.launches());
  if (!settings().faults.empty()) device.note_run(kernel.name);
  return kOk;
}

}  // namespace gpumark::sim
