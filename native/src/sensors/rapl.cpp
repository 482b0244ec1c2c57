#include "sensors/rapl.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace gpumark {
namespace {

std::optional<std::uint64_t> read_counter(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? std::optional<std::uint64_t>(value) : std::nullopt;
}

std::string read_word(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

/** "package-0" of "package-0-die-1", as the kernel names the dies of a package. */
std::string package_of(const std::string& name) { return name.substr(0, name.find("-die-")); }

/**
 * Top-level domains only, "intel-rapl:0" but not "intel-rapl:0:1": subdomains are included in the package's counter.
 * AMD uses the same names.
 */
bool is_package_folder(const std::string& name) {
  return name.rfind("intel-rapl:", 0) == 0 && std::count(name.begin(), name.end(), ':') == 1;
}

}  // namespace

std::uint64_t energy_between(std::uint64_t before, std::uint64_t now, std::uint64_t range) {
  if (now >= before) return now - before;
  return before <= range ? range - before + now : now;
}

RaplMeter::RaplMeter(const std::string& sysfs_root) {
  const std::string folder = sysfs_root + "/class/powercap";
  std::error_code ignored;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  bool unreadable = false;
  for (const std::string& name : names) {
    const std::string base = folder + "/" + name + "/";
    if (!is_package_folder(name) || read_word(base + "name").rfind("package", 0) != 0) continue;
    const std::string package = package_of(read_word(base + "name"));
    const auto now = read_counter(base + "energy_uj");
    const auto range = read_counter(base + "max_energy_range_uj");
    if (!now || !range) {
      unreadable = true;
      continue;
    }
    if (!repeats(package, *now)) domains_.push_back({base + "energy_uj", package, *range, *now});
  }
  // A sum over some of the packages would understate the energy, so one unreadable counter disables the meter.
  if (unreadable) {
    problem_ = "the energy counters in " + folder + " are not readable by this user (they usually need root)";
  } else if (domains_.empty()) {
    problem_ = "no RAPL package counter in " + folder + " (usual in virtual machines and containers)";
  }
}

/**
 * AMD's counter is of the package, and Linux shows it once for each die. Two counters of one package are one if the
 * first, read before and after the second, includes its value: those of Intel's dies are apart.
 */
bool RaplMeter::repeats(const std::string& package, std::uint64_t value) const {
  for (const Domain& domain : domains_) {
    if (domain.package != package) continue;
    const auto after = read_counter(domain.counter_path);
    if (after && energy_between(domain.last_uj, value, domain.range_uj) <=
                     energy_between(domain.last_uj, *after, domain.range_uj))
      return true;
  }
  return false;
}

std::optional<double> RaplMeter::joules() {
  if (!problem_.empty()) return std::nullopt;
  for (Domain& domain : domains_) {
    const auto now = read_counter(domain.counter_path);
    if (!now) {
      problem_ = domain.counter_path + " became unreadable during the run";
      lost_ = true;
      return std::nullopt;
    }
    total_uj_ += energy_between(domain.last_uj, *now, domain.range_uj);
    domain.last_uj = *now;
  }
  return static_cast<double>(total_uj_) * 1e-6;
}

}  // namespace gpumark
