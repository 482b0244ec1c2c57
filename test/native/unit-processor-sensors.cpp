// The processor's temperature and energy from files as Linux names them.
#include "fake-tree.h"
#include "sensors/rapl.h"
#include "sensors/thermometer.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

/** hwmon's files of one device: name, and label and millidegrees of each input. */
void put_sensor(const FakeTree& sys, const std::string& folder, const std::string& name,
                const std::vector<std::pair<std::string, int>>& inputs) {
  const std::string base = "class/hwmon/" + folder + "/";
  sys.put(base + "name", name);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string input = base + "temp" + std::to_string(i + 1);
    if (!inputs[i].first.empty()) sys.put(input + "_label", inputs[i].first);
    sys.put(input + "_input", std::to_string(inputs[i].second));
  }
}

void temperatures() {
  // Documentation/hwmon/k10temp.rst: Tctl has an offset, of 27 degrees here; Tccd is measured.
  const FakeTree offset, plain, intel, none;
  put_sensor(offset, "hwmon0", "k10temp", {{"Tctl", 90000}, {"Tdie", 63000}, {"Tccd1", 61500}});
  put_sensor(offset, "hwmon1", "nvme", {{"Composite", 95000}});
  check(Thermometer(offset.root()).celsius() == 63.0, "the die's temperature, not the control value with its offset");
  put_sensor(plain, "hwmon0", "k10temp", {{"Tctl", 58000}, {"Tccd1", 52000}});
  check(Thermometer(plain.root()).celsius() == 58.0, "without an offset Linux shows Tctl alone, and it is true");
  put_sensor(intel, "hwmon0", "coretemp", {{"Package id 0", 55000}, {"Core 0", 54000}, {"Core 1", 127000}});
  check(Thermometer(intel.root()).celsius() == 55.0, "the hottest of Intel's that is connected");
  check(!Thermometer(none.root()).celsius() && !Thermometer(none.root()).problem().empty(), "no sensor is a reason");
}

/** A counter of powercap as Linux names it: intel-rapl:N for AMD too. */
void put_counter(const FakeTree& sys, const std::string& folder, const std::string& name, std::uint64_t microjoules) {
  const std::string base = "class/powercap/" + folder + "/";
  sys.put(base + "name", name);
  sys.put(base + "energy_uj", std::to_string(microjoules));
  sys.put(base + "max_energy_range_uj", "65532610987");
}

void packages() {
  FakeTree amd, intel;
  put_counter(amd, "intel-rapl:0", "package-0-die-0", 7000000);
  put_counter(amd, "intel-rapl:1", "package-0-die-1", 7000000);
  put_counter(amd, "intel-rapl:2", "package-1-die-0", 7000000);
  put_counter(amd, "intel-rapl:0:0", "core", 900);
  put_counter(amd, "intel-rapl:3", "psys", 900);
  RaplMeter of_packages(amd.root());
  check(of_packages.packages() == 2,
        "one counter shown for each die of a package counts once, other packages by themselves");
  for (const char* folder : {"intel-rapl:0", "intel-rapl:1"}) put_counter(amd, folder, "package-0", 27000000);
  check(of_packages.joules() == 20.0, "and its energy once");
  put_counter(intel, "intel-rapl:0", "package-0-die-0", 7000000);
  put_counter(intel, "intel-rapl:1", "package-0-die-1", 4000000);
  RaplMeter of_dies(intel.root());
  put_counter(intel, "intel-rapl:0", "package-0-die-0", 8000000);
  put_counter(intel, "intel-rapl:1", "package-0-die-1", 6000000);
  check(of_dies.packages() == 2 && of_dies.joules() == 3.0, "dies with counters of their own are added up");
}

}  // namespace

void check_processor_sensors() {
  temperatures();
  packages();
}
