// What sensors make of files and numbers that no simulated device gives: process namespaces, AMD's gpu_metrics, loads,
// drift, library names.
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "fake-tree.h"
#include "installed-libraries.h"
#include "measure/drift.h"
#include "measure/load-class.h"
#include "sensors/amd-throttle.h"
#include "sensors/holders.h"
#include "sensors/load-power.h"
#include "sensors/throttle-reasons.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

using Words = std::vector<std::string>;

/**
 * A /proc with processes as proc(5) has them: ids of each namespace from the outermost shown, start time in the 22nd
 * field of stat.
 */
class FakeProc {
 public:
  /** The kernel gives the first namespace this number, and a container's another. */
  static constexpr const char *kHost = "pid:[4026531836]", *kContainer = "pid:[4026532207]";

  void add(const char* name, const char* ids, int started, const char* space) const {
    const std::string path(name);
    tree_.put(path + "/status", std::string("Name:\tgpumark-runner\nNSpid:\t") + ids);
    // Fields 3 to 21: state, parent and so on, none of which matters; the name may hold what looks like fields.
    tree_.put(path + "/stat", path + " (a) b (c) R 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 " +
                                  std::to_string(started) + " 4096 77");
    std::filesystem::create_directories(tree_.root() + "/" + path + "/ns");
    std::filesystem::create_symlink(space, tree_.root() + "/" + path + "/ns/pid");
  }
  Words others(const std::vector<unsigned>& pids, bool has_context, std::uint64_t asked = 1000) const {
    return ProcessView(tree_.root()).others(pids, has_context, asked);
  }

 private:
  FakeTree tree_;
};

void holders() {
  FakeProc host;
  for (const char* name : {"self", "4711"}) host.add(name, "4711", 500, FakeProc::kHost);
  host.add("99", "99", 500, FakeProc::kHost);
  host.add("100", "100", 1001, FakeProc::kHost);
  check(
      host.others({4711, 99}, true) == Words{"process 99"},
      "on the host the runner knows itself among NVML's numbers and names the other, though both started in one tick");
  check(host.others({99}, true) == Words{"process 99"}, "and names the other where NVML leaves the runner out");
  check(host.others({98}, true) == Words{"another process"}, "a number that nobody has is not named");
  check(host.others({100}, true) == Words{"another process"} && host.others({100}, true, 1001) == Words{"process 100"},
        "nor one whose process started after it was asked for");

  FakeProc container;
  for (const char* name : {"self", "17"}) container.add(name, "17", 500, FakeProc::kContainer);
  container.add("1", "1", 400, FakeProc::kContainer);
  check(container.others({4711}, true).empty(),
        "in a container the one number, which is the host's, is the runner's own");
  check(container.others({4711, 99}, true) == Words{"another process"},
        "of two one is the runner, and which is not known: no number is named");
  check(container.others({17}, false) == Words{"another process"},
        "without a context of its own even the runner's own number is somebody else's");
  check(container.others({}, true).empty(), "nobody is nobody");

  // The host's /proc in a container, as monitoring mounts it.
  FakeProc mounted;
  for (const char* name : {"self", "4711"}) mounted.add(name, "4711 17", 500, FakeProc::kContainer);
  mounted.add("1", "1", 0, FakeProc::kHost);
  mounted.add("17", "17", 300, FakeProc::kHost);
  mounted.add("4712", "4712 17", 500, FakeProc::kContainer);
  check(mounted.others({4711}, true).empty(), "where /proc is the host's the runner finds itself by all its numbers");
  check(mounted.others({17}, true) == Words{"process 17"},
        "and another process under the number that it has inside is named");
  check(mounted.others({4712}, true) == Words{"process 4712"},
        "so is one of another container with that number inside");

  const std::uint64_t before = ProcessView::now();
  check(before > 0 && ProcessView().others({static_cast<unsigned>(getpid())}, true, before).empty(),
        "with the real /proc the runner is nobody else");
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
  check(throttle_names(read_status(tree, 1ull << 36 | 1ull << 47).value_or(0)) == Words{"sw_thermal", "hw_thermal"},
        "a temperature, and a signal from outside");
  check(!read_status(tree, ~0ull), "all bits: the kernel has no value");
  AmdThrottle late(tree.root());
  const auto look = [&](char content, std::size_t offset, std::vector<std::uint32_t> residencies) {
    std::ofstream(tree.root() + "/gpu_metrics", std::ios::binary)
        << metrics_file<std::uint32_t>(200, content, offset, residencies);
    return late.read();
  };
  check(look(6, 36, {5, 7, 0, 0, 0}) == 0u, "the first look at counters has nothing to compare with");
  check(throttle_names(look(6, 36, {5, 9, 0, 0, 0}).value_or(0)) == Words{"sw_power_cap"},
        "the counter of the power limit has grown");
  check(look(6, 36, {5, 9, 0, 0, 0}) == 0u, "and grows no more");
  check(throttle_names(look(6, 36, {5, 9, 0, 0, 3}).value_or(0)) == Words{"sw_thermal"}, "the memory is too hot");
  AmdThrottle newer(tree.root());
  late = newer;
  look(8, 44, {1, 1, 1, 1, 1});
  check(throttle_names(look(8, 44, {2, 1, 1, 1, 1}).value_or(0)) == Words{"hw_thermal"},
        "1.8 has its counters 8 bytes further on");
  check(!look(4, 36, {1, 2, 3, 4, 5}), "1.4 has the bits of one device alone");
  std::filesystem::remove(tree.root() + "/gpu_metrics");
  check(!late.read(), "a kernel that shows none says nothing");
}

void metrics() {
  const auto at = [](std::uint32_t ticks, const std::array<std::uint32_t, 5>& held) {
    AmdMetrics read;
    read.residencies = AmdMetrics::Residencies{ticks, held};
    return std::optional<AmdMetrics>(read);
  };
  const auto seconds = [](const std::optional<AmdMetrics>& before, const std::optional<AmdMetrics>& now) {
    JsonObject to;
    FactWriter facts(to);
    facts.group("held", amd_throttle_seconds(before, now, 8));
    facts.finish();
    return to.str();
  };
  // 250 of 1,000 ticks at the power limit, 100 by the regulators' signal, over 8 s.
  check(seconds(at(1000, {0, 10, 0, 0, 0}), at(2000, {0, 260, 0, 100, 0})) ==
            R"({"held":{"sw_power_cap":2,"sw_thermal":0,"hw_thermal":0.8},"health_problems":{}})",
        "the firmware's ticks are a share of the run's time");
  // Limits of one kind at once are not added: the memory's 30 ticks are the longest.
  check(seconds(at(0, {}), at(100, {0, 0, 20, 0, 30})) ==
            R"({"held":{"sw_power_cap":0,"sw_thermal":2.4,"hw_thermal":0},"health_problems":{}})",
        "of two limits of one kind the longer counts");
  check(seconds(at(UINT32_MAX - 49, {0, UINT32_MAX - 9, 0, 0, 0}), at(50, {0, 15, 0, 0, 0})) ==
            R"({"held":{"sw_power_cap":2,"sw_thermal":0,"hw_thermal":0},"health_problems":{}})",
        "counters that wrap differ as others do");
  check(seconds(at(0, {}), at(100, {0, 200, 0, 0, 0})).find("not a plausible value: 200 of 100") != std::string::npos,
        "a limit cannot hold longer than the run");
  check(seconds(std::nullopt, at(1, {})).find(R"("held":"not in this driver")") != std::string::npos,
        "a kernel without residencies tells no time");

  FakeTree tree;
  std::ofstream(tree.root() + "/gpu_metrics", std::ios::binary)
      << metrics_file<std::uint16_t>(200, 7, 72, std::vector<std::uint16_t>{16, 32});
  const auto brief = read_amd_metrics(tree.root());
  check(brief && brief->xgmi_width == 16 && brief->xgmi_speed == 32 && brief->xgmi_status.empty(),
        "a file of 1.7 that ends before the links' states has none");
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
  check(falling && !falling->settled() && falling->first == 100 && falling->last == 97.9,
        "2.1 % less in the last quarter is not");
  for (std::size_t i = 30; i < 40; ++i) rates[i] = 101.9;
  check(drift_of(rates)->settled() && !drift_of({1, 2, 3, 4, 5, 6, 7}), "1.9 % are, and seven rates have no quarters");
}

void load_classes() {
  const std::vector<double> level(40, 100);
  std::vector<double> falling = level;
  for (std::size_t i = 30; i < 40; ++i) falling[i] = 97.9;
  const auto is = [](double before, double counted, const std::vector<double>& rates) {
    return std::string(load_class({before, counted}, rates));
  };
  check(is(1.6, 1.2, level) == "sustained" && is(1.6, 1.2, falling) == "sustained",
        "1.6 s before and 1.2 s counted are sustained, whatever the drift");
  check(is(1.58, 1.2, level) == "brief" && is(1.6, 1.18, level) == "brief", "less of either is brief");
  // What one of eight cards got of a minute, and its first half second: neither is better than brief.
  check(is(0.12, 0.09, level) == "brief" && is(0, 0.25, level) == "brief", "no short figure is called a better one");
  check(is(60, 60, level) == "settled" && is(60, 60, falling) == "sustained",
        "two minutes are settled only if the quarters are within 2 %");
  check(is(60, 59, level) == "sustained", "and less than two minutes never");
  check(!is_burst(0.09) && is_burst(0.1) && is_burst(0.5) && !is_burst(0.51), "a burst is 0.1 to 0.5 s");
}

/** A device whose rates fall by a tenth from piece to piece until piece `level`, on a clock of its own: ten rates a
 * piece. */
SettledSeries series_of(Tier tier, int level, int stop_in = 1000) {
  int pieces = 0;
  double clock = 5;
  const auto take = [&](double seconds) {
    clock += seconds;
    ++pieces;
    return std::vector<double>(10, pieces < level ? 1e6 * std::pow(0.9, pieces) : 100);
  };
  return take_until_settled(
      series_plan(tier), 100, take, [&] { return clock; }, [&] { return pieces >= stop_in; });
}

void settling() {
  // A level device: quick has one piece, the longer tiers three of 4 % of the time each.
  check(series_of(Tier::quick, 0).pieces_taken == 1 && series_of(Tier::quick, 9).pieces_taken == 1,
        "the quick tier takes one series, settled or not");
  check(series_of(Tier::standard, 0).pieces_taken == 3, "a level series ends with its third piece");
  // Level from piece 5 on: pieces 5, 6 and 7 are the first three alike.
  const SettledSeries later = series_of(Tier::standard, 5);
  check(later.pieces_taken == 7 && later.first_counted == 4 && later.end_counted == 7 &&
            later.rates == std::vector<double>(30, 100),
        "one that settles later ends there, and only its level pieces count");
  // 36 of 100 seconds are nine pieces of four, all of 100 are twenty-five.
  const SettledSeries never = series_of(Tier::standard, 1000), soak = series_of(Tier::soak, 1000);
  check(never.pieces_taken == 9 && !drift_of(never.rates)->settled(),
        "the standard tier continues for 36 % of the time and then reports the drift");
  check(soak.pieces_taken == 25 && series_of(Tier::soak, 20).pieces_taken == 22,
        "a soak continues for as long as the benchmark");
  const SettledSeries cut = series_of(Tier::standard, 1000, 4);
  check(cut.pieces_taken == 4 && cut.first_counted == 0 && cut.end_counted == 3,
        "a piece that a signal cut short does not count beside whole ones");
  check(series_of(Tier::standard, 1000, 1).rates.size() == 10, "but where it is all there is");
}

void names() {
  const std::vector<std::string> all = LibraryNames{"libx", 3, 2, true}.names();
  check(all == Words{"libx.so.3", "libx.so.2", "libx.so"}, "newest first, the plain name last");
}

}  // namespace

void check_sensors() {
  holders();
  throttle();
  metrics();
  loads();
  drift();
  load_classes();
  settling();
  names();
}
