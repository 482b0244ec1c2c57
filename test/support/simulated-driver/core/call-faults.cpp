#include "core/call-faults.h"

#include <execinfo.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/machine.h"
#include "core/settings.h"

namespace gpumark::sim {
namespace {

/** Deeper than any benchmark calls. */
constexpr int kFrames = 64;

/** How often one kind of fault could have struck. */
struct Occasions {
  std::uint64_t calls = 0;
  /** Each list of return addresses. */
  std::set<std::vector<void*>> paths;
};
std::mutex mutex;
std::map<std::string, Occasions> occasions;

/**
 * Whether this is the first occasion after as many as the fault's value says, or for a value with a `p`, the first by a
 * path after as many others. Loops that end by the clock make as many calls as they like, but no new path.
 */
bool is_struck(const Fault& fault) {
  const std::lock_guard lock(mutex);
  Occasions& past = occasions[fault.kind];
  bool strikes = false;
  if (fault.counts_paths()) {
    std::vector<void*> frames(kFrames);
    frames.resize(static_cast<std::size_t>(backtrace(frames.data(), kFrames)));
    strikes = past.paths.insert(frames).second && past.paths.size() == fault.number(0) + 1;
  } else {
    strikes = ++past.calls == fault.number(0) + 1;
  }
  if (strikes) std::fprintf(stderr, "simulated driver: %s strikes\n", fault.kind.c_str());
  return strikes;
}

}  // namespace

int strike_call(Vendor vendor) {
  for (const char* kind : {"call-lost", "call-failure", "call-out-of-memory"}) {
    const Fault* fault = settings().fault(kind, -1);
    if (!fault || !is_struck(*fault)) continue;
    if (fault->kind == "call-out-of-memory") return kOutOfMemory;
    for (const auto& device : machine(vendor).devices)
      fault->kind == "call-lost" ? device->lose() : device->fail(kLaunchFailed);
  }
  return kOk;
}

LaunchFault strike_launch(const Device& device) {
  const auto struck = [&](const char* kind) {
    const Fault* fault = settings().fault(kind, device.ordinal);
    return fault && fault->counts_paths() && is_struck(*fault);
  };
  return struck("card-lost")        ? LaunchFault::card_lost
         : struck("launch-failure") ? LaunchFault::failure
                                    : LaunchFault::none;
}

}  // namespace gpumark::sim
