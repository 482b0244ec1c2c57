// What sensors make of files and numbers that no simulated device gives: process namespaces, AMD's gpu_metrics, loads, drift, library names.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "fake-tree.h"
#include "library-names.h"
#include "measure/drift.h"
#include "sensors/amd-throttle.h"
#include "sensors/holders.h"
#include "sensors/load-power.h"
#include "sensors/throttle-reasons.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

using Words = std::vector<std::string>;

void holders() {
  const auto view_of = [](const char* space, const char* ids) {
    FakeTree proc;
    proc.put("self/status", std::string("Name:\tgpumark-runner\nNSpid:\t") + ids);
    std::filesystem::create_directories(proc.root() + "/self/ns");
    std::filesystem::create_symlink(space, proc.root() + "/self/ns/pid");
    return ProcessView::of(proc.root());
  };
  // The kernel gives the first namespace this number, and a container's another.
  const ProcessView host = view_of("pid:[4026531836]", "4711"), container = view_of("pid:[4026532207]", "17");
  check(host.is_host && host.others({4711, 99}, true) == Words{"process 99"}, "on the host the runner knows itself among NVML's numbers and names the other");
  check(host.others({99}, true) == Words{"process 99"}, "and names the other where NVML leaves the runner out");
  check(!container.is_host && container.others({4711}, true).empty(), "in a container the one number, which is the host's, is the runner's own");
  check(container.others({4711, 99}, true) == Words{"another process"}, "of two one is the runner, and which is not known: no number is named");
  check(container.others({17}, false) == Words{"another process"}, "without a context of its own even the runner's own number is somebody else's");
}

/** A file of `size` bytes with this head, and a number at an offset. */
template <class Number>
std::string metrics_file(std::uint16_t size, char content, std::size_t offset, const std::vector<Number>& numbers) {
  std::string bytes(size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  bytes[2] = 1;
  bytes[3] = content;
  std::memcpy(&bytes[offset], numbers.data(), numbers.size() * sizeof(Number));
  return bytes;
}

std::optional<unsigned> read_status(const FakeTree& tree, std::uint64_t status) {
  std::ofstream(tree.root() + "/gpu_metrics", std::ios::binary) << metrics_file<std::uint64_t>(120, 3, 112, {status});
  return AmdThrottle(tree.root()).read();
}

void throttle() {
  FakeTree tree;
  // SMU_THROTTLER_PPT0_BIT 0, TDC_GFX 16, TEMP_HOTSPOT 36, PROCHOT_GFX 47 (amdgpu_smu.h).
  check(read_status(tree, 0) == 0u, "no bit: nothing holds the device back");
  check(throttle_names(read_status(tree, 1).value_or(0)) == Words{"sw_power_cap"}, "a limit of power");
  check(throttle_names(read_status(tree, 1ull << 16).value_or(0)) == Words{"current_limit"}, "a limit of current");
  check(throttle_names(read_status(tree, 1ull << 36 | 1ull << 47).value_or(0)) == Words{"sw_thermal", "hw_thermal"}, "a temperature, and a signal from outside");
  check(!read_status(tree, ~0ull), "all bits: the kernel has no value");
  AmdThrottle late(tree.root());
  const auto look = [&](char content, std::size_t offset, std::vector<std::uint32_t> residencies) {
    std::ofstream(tree.root() + "/gpu_metrics", std::ios::binary) << metrics_file<std::uint32_t>(200, content, offset, residencies);
    return late.read();
  };
  check(look(6, 36, {5, 7, 0, 0, 0}) == 0u, "the first look at counters has nothing to compare with");
  check(throttle_names(look(6, 36, {5, 9, 0, 0, 0}).value_or(0)) == Words{"sw_power_cap"}, "the counter of the power limit has grown");
  check(look(6, 36, {5, 9, 0, 0, 0}) == 0u, "and grows no more");
  check(throttle_names(look(6, 36, {5, 9, 0, 0, 3}).value_or(0)) == Words{"sw_thermal"}, "the memory is too hot");
  AmdThrottle newer(tree.root());
  late = newer;
  look(8, 44, {1, 1, 1, 1, 1});
  check(throttle_names(look(8, 44, {2, 1, 1, 1, 1}).value_or(0)) == Words{"hw_thermal"}, "1.8 has its counters 8 bytes further on");
  check(!look(4, 36, {1, 2, 3, 4, 5}), "1.4 has the bits of one device alone");
  std::filesystem::remove(tree.root() + "/gpu_metrics");
  check(!late.read(), "a kernel that shows none says nothing");
}

void loads() {
  LoadPower load;
  for (int i = 0; i < 40; ++i) {
    SensorReading reading;
    reading.watts = i < 38 ? 500 : 900;
    load.add(reading, 0.1 * i);
  }
  // 95 of 100 readings: the 38th of 40.
  check(load.p95_watts() && *load.p95_watts() == 500, "the 38th of 40 readings is the 95th percentile");
  // Trapezoids of 0.1 s: 37 of 500 W, one of 700, one of 900, over 3.9 s.
  check(load.watts() && std::fabs(*load.watts() - (37 * 500 + 700 + 900) / 39.0) < 1e-9, "the mean is over time");
  LoadPower brief;
  for (const double at : {0.0, 0.2, 0.4}) {
    SensorReading reading;
    reading.watts = 500;
    brief.add(reading, at);
  }
  check(!brief.watts() && brief.p95_watts(), "0.4 s have no mean power");
}

void drift() {
  std::vector<double> rates(40, 100);
  check(drift_of(rates) && drift_of(rates)->settled(), "a level series is settled");
  for (std::size_t i = 30; i < 40; ++i) rates[i] = 97.9;
  const auto falling = drift_of(rates);
  check(falling && !falling->settled() && falling->first == 100 && falling->last == 97.9, "2.1 % less in the last quarter is not");
  for (std::size_t i = 30; i < 40; ++i) rates[i] = 101.9;
  check(drift_of(rates)->settled() && !drift_of({1, 2, 3, 4, 5, 6, 7}), "1.9 % are, and seven rates have no quarters");
}

void names() {
  const std::vector<std::string> all = versioned_names("libx", 3, 2);
  check(all == Words{"libx.so.3", "libx.so.2", "libx.so"}, "newest first, the plain name last");
}

}  // namespace

void check_sensors() {
  holders();
  throttle();
  loads();
  drift();
  names();
}
