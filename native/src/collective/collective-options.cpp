#include "collective/collective-options.h"

#include <cstdint>
#include <cstdlib>

#include "collective/data-pattern.h"
#include "gpu/vendor.h"

namespace gpumark {
namespace {

/** As many as any node has. */
constexpr std::uint64_t kMaxDevices = 64;
constexpr double kMaxSeconds = 86400;

bool parse_count(const std::string& text, std::uint64_t min, std::uint64_t max, std::uint64_t& value) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos) return false;
  value = std::strtoull(text.c_str(), nullptr, 10);
  return value >= min && value <= max;
}

bool parse_seconds(const std::string& text, double& value) {
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && value > 0 && value <= kMaxSeconds;
}

bool apply(CollectiveOptions& o, const std::string& name, const std::string& value) {
  std::uint64_t number = 0;
  if (name == "--device" && find_vendor(value)) {
    o.backend = value;
  } else if (name == "--ranks" && parse_count(value, 2, kMaxRanks, number)) {
    o.ranks = static_cast<int>(number);
  } else if (name == "--first-rank" && parse_count(value, 0, kMaxRanks - 1, number)) {
    o.first_rank = static_cast<int>(number);
  } else if (name == "--devices" && parse_count(value, 1, kMaxDevices, number)) {
    o.devices = static_cast<int>(number);
  } else if (name == "--deadline-seconds" && parse_seconds(value, o.deadline_seconds)) {
    return true;
  } else if (name == "--max-memory-bytes" && parse_count(value, 1, INT64_MAX, number)) {
    o.max_memory_bytes = static_cast<std::size_t>(number);
  } else if (name == "--sysfs-root" && !value.empty()) {
    o.sysfs_root = value;
  } else {
    return false;
  }
  return true;
}

bool is_option(const std::string& name) {
  for (const char* known : {"--device", "--ranks", "--first-rank", "--devices", "--deadline-seconds",
                            "--max-memory-bytes", "--sysfs-root"}) {
    if (name == known) return true;
  }
  return false;
}

std::string missing_of(const CollectiveOptions& o) {
  if (o.mode == CollectiveOptions::Mode::probe) return "";
  if (o.deadline_seconds <= 0) return "collective needs --deadline-seconds";
  if (o.mode == CollectiveOptions::Mode::unique_id) return "";
  if (o.ranks == 0) return "collective needs --ranks";
  if (o.first_rank < 0) return "collective needs --first-rank";
  return o.first_rank >= o.ranks ? "--first-rank is not below --ranks" : "";
}

}  // namespace

CollectiveOptions parse_collective_options(const std::vector<std::string>& arguments, std::string& problem) {
  CollectiveOptions options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string name = arguments[i], value;
    if (name == "--probe" || name == "--unique-id") {
      options.mode = name == "--probe" ? CollectiveOptions::Mode::probe : CollectiveOptions::Mode::unique_id;
      continue;
    }
    const std::size_t equals = name.find('=');
    if (equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    if (!is_option(name)) {
      problem = "unknown option \"" + name + "\"";
    } else if (equals == std::string::npos && ++i == arguments.size()) {
      problem = name + " needs a value";
    } else if (equals == std::string::npos) {
      value = arguments[i];
    }
    if (problem.empty() && !apply(options, name, value)) problem = "\"" + value + "\" is not a value for " + name;
    if (!problem.empty()) return options;
  }
  problem = missing_of(options);
  return options;
}

}  // namespace gpumark
