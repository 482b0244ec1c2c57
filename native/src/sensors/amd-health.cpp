#include "sensors/amd-health.h"

#include <algorithm>
#include <fstream>

#include "sensors/amd-libraries.h"
#include "sensors/device-sensor.h"
#include "sensors/sysfs.h"

namespace gpumark {
namespace {

/** Far more bad pages than a card may have before AMD takes it back. */
constexpr std::size_t kMostPages = 100'000;
constexpr const char* kNoFile = "the kernel shows no such file, and no library tells it";

Number read_count(const std::filesystem::path& path) {
  std::ifstream file(path);
  unsigned long long value = 0;
  return file >> value ? counted(value) : Number{std::nullopt, kNoFile};
}

void add(Number& sum, const Number& more) {
  if (more.value) sum = {sum.value.value_or(0) + *more.value, ""};
}

/** "ue: 0", "ce: 3", and from Linux 6.9 on "de: 0", in a file of one block. */
AmdErrors read_errors(const std::filesystem::path& path) {
  AmdErrors errors{{std::nullopt, kNoFile}, {std::nullopt, kNoFile}, {std::nullopt, "not in this driver"}};
  std::ifstream file(path);
  std::string key;
  unsigned long long count = 0;
  while (file >> key >> count) {
    if (key == "ue:") errors.uncorrected = counted(count);
    if (key == "ce:") errors.corrected = counted(count);
    if (key == "de:") errors.deferred = counted(count);
  }
  // "Query currently inaccessible", while the card is being reset
  if (key == "Query") errors.uncorrected.problem = errors.corrected.problem = "the driver tells none at the moment";
  return errors;
}

/** The highest of "0: 500Mhz", "1: 2100Mhz *": below the line `after`, or of the whole file if that is empty. */
Number highest_clock(const std::filesystem::path& path, const std::string& after) {
  std::ifstream file(path);
  Number highest{std::nullopt, kNoFile};
  bool inside = after.empty();
  for (std::string line; std::getline(file, line);) {
    double mhz = 0;
    const std::size_t colon = line.find(": ");
    const bool is_level = colon != std::string::npos && std::sscanf(line.c_str() + colon + 1, "%lfMhz", &mhz) == 1;
    if (inside && is_level && mhz > 0 && mhz <= kMaxClockMhz && mhz > highest.value.value_or(0)) highest = {mhz, ""};
    if (!is_level && !after.empty()) inside = line.rfind(after, 0) == 0;
  }
  return highest;
}

JsonObject describe_link(std::size_t link, const char* status, const std::optional<AmdMetrics>& metrics) {
  const auto number = [](const std::optional<std::uint16_t>& value) {
    return value ? std::optional<double>(*value) : std::nullopt;
  };
  return JsonObject{}
      .integer("link", static_cast<std::int64_t>(link))
      .text("status", status)
      .number("width", metrics ? number(metrics->xgmi_width) : std::nullopt)
      .number("speed", metrics ? number(metrics->xgmi_speed) : std::nullopt);
}

}  // namespace

AmdCard::AmdCard(const std::string& sysfs_root, const std::string& pci_id)
    : folder_(pci_folder(sysfs_root, pci_id)),
      index_(rsmi_index(pci_id)),
      handle_(index_ < 0 ? amdsmi_handle(pci_id) : nullptr) {}

std::string AmdCard::why(int code) const {
  if (code == smi::kNoLibrary) return kNoFile;
  if (code == smi::kNoCall) return "not in this driver";
  if (code == smi::kNotSupported) return "not on this card";
  if (code == (index_ >= 0 ? rsmi::kPermission : amdsmi::kNoPermission)) return "no permission";
  return std::string(index_ >= 0 ? "ROCm SMI" : "AMD SMI") + " error " + std::to_string(code);
}

Number AmdCard::replays() const {
  const Number of_kernel = read_count(folder_ / "pcie_replay_count");
  if (of_kernel.value) return of_kernel;
  std::uint64_t count = 0;
  int code = smi::kNoLibrary;
  if (index_ >= 0) {
    const auto ask = rocm_smi().call.replays;
    code = ask ? ask(static_cast<std::uint32_t>(index_), &count) : smi::kNoCall;
  } else if (handle_) {
    const auto ask = amd_smi().call.replays;
    code = ask ? ask(handle_, &count) : smi::kNoCall;
  }
  return code == 0 ? counted(count) : Number{std::nullopt, why(code)};
}

AmdErrors AmdCard::library_errors(std::uint64_t block) const {
  int code = smi::kNoLibrary;
  if (index_ >= 0) {
    RsmiErrorCount count = {};
    const auto ask = rocm_smi().call.ecc_count;
    code = ask ? ask(static_cast<std::uint32_t>(index_), block, &count) : smi::kNoCall;
    if (code == 0)
      return {counted(count.correctable), counted(count.uncorrectable), {std::nullopt, "not in this driver"}};
  } else if (handle_) {
    // A release that does not know deferred errors leaves them as they are here: no count.
    AmdsmiErrorCount count = {0, 0, ~std::uint64_t{0}, {}};
    const auto ask = amd_smi().call.ecc_count;
    code = ask ? ask(handle_, block, &count) : smi::kNoCall;
    if (code == 0) return {counted(count.correctable), counted(count.uncorrectable), counted(count.deferred)};
  }
  const Number none{std::nullopt, why(code)};
  return {none, none, none};
}

AmdErrors AmdCard::errors_of(std::uint64_t block, const char* file) const {
  const AmdErrors of_kernel = read_errors(folder_ / "ras" / file);
  return of_kernel.uncorrected.value ? of_kernel : library_errors(block);
}

AmdErrors AmdCard::errors() const {
  AmdErrors sum{{std::nullopt, kNoFile}, {std::nullopt, kNoFile}, {std::nullopt, "not in this driver"}};
  const auto take = [&](const AmdErrors& one) {
    add(sum.corrected, one.corrected);
    add(sum.uncorrected, one.uncorrected);
    add(sum.deferred, one.deferred);
  };
  std::error_code ignored;
  for (std::filesystem::directory_iterator at(folder_ / "ras", ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    const std::string name = at->path().filename().string(), tail = "_err_count";
    if (name.size() > tail.size() && name.compare(name.size() - tail.size(), tail.size(), tail) == 0)
      take(read_errors(at->path()));
  }
  if (sum.uncorrected.value) return sum;
  AmdErrors last;
  for (std::uint64_t block = rsmi::kUmcBlock; block <= rsmi::kLastBlock; block <<= 1) {
    last = library_errors(block);
    take(last);
  }
  return sum.uncorrected.value ? sum : last;
}

int AmdCard::library_pages(std::uint32_t* count, AmdRetiredPage* pages) const {
  if (index_ >= 0) {
    const auto ask = rocm_smi().call.reserved_pages;
    return ask ? ask(static_cast<std::uint32_t>(index_), count, pages) : smi::kNoCall;
  }
  const auto ask = amd_smi().call.bad_pages;
  return !handle_ ? smi::kNoLibrary : ask ? ask(handle_, count, pages) : smi::kNoCall;
}

FactGroup AmdCard::bad_pages() const {
  // Reserved, pending, unreservable.
  std::array<double, 3> pages{};
  std::string problem;
  std::ifstream file(folder_ / "ras" / "gpu_vram_bad_pages");
  if (file) {
    // "0x027f5d43 : 0x00001000 : R"
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line) && lines < kMostPages; ++lines) {
      const std::size_t state = line.empty() ? std::string::npos : std::string("RPF").find(line.back());
      if (state != std::string::npos) ++pages[state];
    }
  } else {
    std::uint32_t count = 0;
    int code = library_pages(&count, nullptr);
    std::vector<AmdRetiredPage> all(std::min<std::size_t>(count, kMostPages));
    if (code == 0 && count > kMostPages) problem = implausible(std::to_string(count)).problem;
    if (code == 0 && problem.empty() && count > 0) code = library_pages(&count, all.data());
    if (code != 0) problem = why(code);
    for (std::size_t i = 0; i < all.size() && i < count; ++i) {
      if (all[i].status >= 0 && all[i].status <= 2) ++pages[static_cast<std::size_t>(all[i].status)];
    }
  }
  const auto number = [&](std::size_t state) {
    return problem.empty() ? Number{pages[state], ""} : Number{std::nullopt, problem};
  };
  return FactGroup().number("retired", number(0)).number("pending", number(1)).number("unreservable", number(2));
}

Fact<std::vector<JsonObject>> AmdCard::xgmi() const {
  const auto metrics = read_amd_metrics(folder_);
  std::vector<JsonObject> links;
  if (metrics && !metrics->xgmi_status.empty()) {
    for (std::size_t i = 0; i < metrics->xgmi_status.size(); ++i) {
      const std::uint16_t status = metrics->xgmi_status[i];
      links.push_back(describe_link(i, status == 1 ? "up" : status == 0 ? "down" : "disabled", metrics));
    }
    return {links, ""};
  }
  AmdsmiXgmiLinks told = {};
  const auto ask = amd_smi().call.xgmi_links;
  const int code = !handle_ ? smi::kNoLibrary : ask ? ask(handle_, &told) : smi::kNoCall;
  if (code != 0) return {std::nullopt, why(code)};
  for (std::size_t i = 0; i < told.total && i < std::size(told.status); ++i) {
    const int status = told.status[i];
    links.push_back(describe_link(i, status == 1 ? "up" : status == 0 ? "down" : "disabled", metrics));
  }
  return {links, ""};
}

void add_amd_health(const AmdCard& card, JsonObject& to, FactWriter& facts) {
  to.text("health_scope", "socket");
  facts.group("bad_pages", card.bad_pages());
  facts.group("ras", card.errors().group());
  facts.objects("xgmi", card.xgmi());
  const auto levels = card.folder() / "pp_dpm_sclk", memory_levels = card.folder() / "pp_dpm_mclk";
  const Number sm = highest_clock(levels, ""), memory = highest_clock(memory_levels, "");
  facts.group("clocks_max", FactGroup().number("sm_mhz", sm).number("memory_mhz", memory));
  // The limits that a user has set, or the default: "OD_SCLK:" (before Linux 6.10 "GFXCLK:") and its two levels.
  const auto limits = card.folder() / "pp_od_clk_voltage";
  const Number set = highest_clock(limits, "OD_SCLK:"), memory_set = highest_clock(limits, "OD_MCLK:");
  FactGroup clocks;
  clocks.number("sm_mhz", set).number("memory_mhz", memory_set);
  if (set.value || memory_set.value) clocks.number("default_sm_mhz", sm).number("default_memory_mhz", memory);
  facts.group("application_clocks", clocks);
}

}  // namespace gpumark
