#include "sensors/thermometer.h"

#include <filesystem>
#include <fstream>
#include <initializer_list>

namespace gpumark {
namespace {

namespace fs = std::filesystem;

std::string read_word(const fs::path& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

bool one_of(const std::string& word, std::initializer_list<const char*> known) {
  for (const char* name : known) {
    if (word == name) return true;
  }
  return false;
}

/** All inputs of a sensor device; without AMD's control value Tctl, which has an offset, if the true Tdie is there. */
std::vector<std::string> inputs_of(const fs::path& device) {
  std::vector<std::string> inputs, controls;
  bool has_die = false;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(device, ignored)) {
    const std::string path = file.path().string(), name = file.path().filename().string();
    const std::size_t suffix = path.rfind("_input");
    if (name.rfind("temp", 0) != 0 || suffix == std::string::npos) continue;
    const std::string label = read_word(path.substr(0, suffix) + "_label");
    has_die = has_die || label == "Tdie";
    (label == "Tctl" ? controls : inputs).push_back(path);
  }
  if (!has_die) inputs.insert(inputs.end(), controls.begin(), controls.end());
  return inputs;
}

}  // namespace

Thermometer::Thermometer(const std::string& sysfs_root) {
  std::error_code ignored;
  for (const auto& device : fs::directory_iterator(sysfs_root + "/class/hwmon", ignored)) {
    // Intel, AMD (both drivers), and the usual names on Arm servers and boards.
    if (!one_of(read_word(device.path() / "name"),
                {"coretemp", "k10temp", "zenpower", "cpu_thermal", "apm_xgene", "scpi_sensors"}))
      continue;
    const std::vector<std::string> found = inputs_of(device.path());
    inputs_.insert(inputs_.end(), found.begin(), found.end());
  }
  if (inputs_.empty()) {
    for (const auto& zone : fs::directory_iterator(sysfs_root + "/class/thermal", ignored)) {
      if (one_of(read_word(zone.path() / "type"),
                 {"x86_pkg_temp", "cpu-thermal", "cpu_thermal", "cpu0-thermal", "soc-thermal", "soc_thermal"})) {
        inputs_.push_back((zone.path() / "temp").string());
      }
    }
  }
  if (inputs_.empty())
    problem_ = "no processor temperature sensor under " + sysfs_root + "/class/hwmon or /class/thermal";
}

std::optional<double> Thermometer::celsius() const {
  std::optional<double> hottest;
  for (const std::string& path : inputs_) {
    std::ifstream file(path);
    double millidegrees = 0;
    if (!(file >> millidegrees)) continue;
    const double celsius = millidegrees / 1000;
    // A disconnected sensor reads 0, negative or 127 and above.
    if (celsius <= 0 || celsius >= 127) continue;
    if (!hottest || celsius > *hottest) hottest = celsius;
  }
  return hottest;
}

}  // namespace gpumark
