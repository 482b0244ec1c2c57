// Static facts about a device from NVML.
#include <algorithm>
#include <map>
#include <vector>

#include "sensors/holders.h"
#include "sensors/nvml-health.h"

namespace gpumark {
namespace {

void add_text(JsonObject& to, const char* key, const std::optional<std::string>& value) {
  value ? to.text(key, *value) : to.null(key);
}

std::optional<double> watts(std::optional<double> milliwatts) {
  return milliwatts ? within(*milliwatts / 1000, 0, kMaxWatts) : std::nullopt;
}

JsonObject pcie_object(const NvmlTable& call, NvmlDevice device, const Number& replays) {
  JsonObject pcie;
  pcie.number("generation_max", Nvml::number(call.pcie_generation_max, device))
      .number("generation_current", Nvml::number(call.pcie_generation, device));
  return pcie.number("width_max", Nvml::number(call.pcie_width_max, device))
      .number("width_current", Nvml::number(call.pcie_width, device))
      .number("replays", replays.value);
}

void add_modes(JsonObject& to, const NvmlTable& call, NvmlDevice device) {
  int mode = 0;
  call.persistence_mode&& call.persistence_mode(device, &mode) == 0
      ? to.text("persistence_mode", mode ? "enabled" : "disabled")
      : to.null("persistence_mode");
  static const std::map<int, const char*> compute = {
      {0, "default"}, {1, "exclusive thread"}, {2, "prohibited"}, {3, "exclusive process"}};
  const bool known = call.compute_mode && call.compute_mode(device, &mode) == 0 && compute.count(mode);
  known ? to.text("compute_mode", compute.at(mode)) : to.null("compute_mode");
}

/** Text for each other compute process on the device; nullopt if NVML does not report them. */
std::optional<std::vector<std::string>> other_processes(const NvmlTable& call, NvmlDevice device, bool has_context) {
  std::vector<NvmlProcess> processes(64);
  auto count = static_cast<unsigned>(processes.size());
  const std::uint64_t asked = ProcessView::now();
  if (!call.processes || call.processes(device, &count, processes.data()) != 0) return std::nullopt;
  std::vector<unsigned> pids;
  for (unsigned i = 0; i < count && i < processes.size(); ++i) pids.push_back(processes[i].pid);
  return ProcessView().others(pids, has_context, asked);
}

/** The instance if the device is one, else the card. */
NvmlDevice part_of(const NvmlTable& call, NvmlDevice card, const std::string& mig_uuid) {
  NvmlDevice instance = nullptr;
  return !mig_uuid.empty() && call.by_uuid && call.by_uuid(mig_uuid.c_str(), &instance) == 0 ? instance : card;
}

std::optional<double> free_bytes(const NvmlTable& call, NvmlDevice device) {
  NvmlMemory memory = {};
  if (!call.memory || call.memory(device, &memory) != 0) return std::nullopt;
  return within(static_cast<double>(memory.free), 0, static_cast<double>(memory.total));
}

/** An instance has no power limit of its own: the card's is shared by all instances. */
void add_power_caps(JsonObject& to, const NvmlTable& call, NvmlDevice card, bool is_mig) {
  const auto cap = watts(Nvml::number(call.power_limit, card)),
             standard = watts(Nvml::number(call.power_limit_default, card));
  to.number("power_cap_watts", is_mig ? std::nullopt : cap)
      .number("power_cap_default_watts", is_mig ? std::nullopt : standard);
  if (is_mig) to.number("card_power_cap_watts", cap);
}

/** The hardware slowdown threshold: a temperature, or from Hopper on a margin (T.Limit), 0 or below. */
void add_slowdown(JsonObject& to, const Nvml& nvml, NvmlDevice device) {
  unsigned celsius = 0;
  const auto ask = nvml.call().temperature_threshold;
  const bool has_threshold = ask && ask(device, 1, &celsius) == 0;
  const auto threshold = has_threshold ? within(celsius, kMinCelsius, kMaxCelsius) : std::nullopt;
  to.number("temperature_slowdown_celsius", threshold);
  const auto margin = nvml.field(device, nvml::kFieldSlowdownTLimit);
  to.number("temperature_slowdown_tlimit_celsius",
            margin ? within(margin->as_int, -kMaxCelsius, kMaxCelsius) : std::nullopt);
}

}  // namespace

void add_nvml_facts(const std::string& pci_id, const std::string& mig_uuid, JsonObject& attributes) {
  const Nvml& nvml = Nvml::instance();
  const NvmlTable& call = nvml.call();
  std::string problem;
  NvmlDevice device = nvml.find(pci_id, problem);
  char version[96] = {};
  const bool has_version =
      nvml.problem().empty() && call.driver_version && call.driver_version(version, sizeof version) == 0;
  has_version ? attributes.text("driver_version", version) : attributes.null("driver_version");
  if (!device) {
    attributes.null("telemetry").text("telemetry_problem", problem);
    return;
  }
  const NvmlCard card(device, !mig_uuid.empty());
  FactWriter facts(attributes);
  const Number replays = card.counter(call.pcie_replays);
  if (!replays.value) facts.note("pcie.replays", replays.problem);
  attributes.text("telemetry", "NVML").null("telemetry_problem").object("pcie", pcie_object(call, device, replays));
  add_text(attributes, "vbios", Nvml::text(call.vbios, device));
  add_text(attributes, "serial", Nvml::text(call.serial, device));
  add_text(attributes, "nvml_name", Nvml::text(call.name, device));
  add_text(attributes, "nvml_uuid", Nvml::text(call.uuid, device));
  add_power_caps(attributes, call, device, !mig_uuid.empty());
  add_slowdown(attributes, nvml, device);
  NvmlDevice const part = part_of(call, device, mig_uuid);
  attributes.number("memory_free_bytes", free_bytes(call, part));
  add_nvml_health(card, attributes, facts);
  add_modes(attributes, call, device);
  if (const auto others = other_processes(call, part, false))
    attributes.integer("processes", static_cast<std::int64_t>(others->size())).texts("held_by", *others);
  unsigned current = 0, pending = 0;
  if (call.mig_mode && call.mig_mode(device, &current, &pending) == 0) attributes.boolean("mig_enabled", current != 0);
  facts.finish();
}

std::string nvml_holders(const std::string& pci_id, const std::string& mig_uuid, bool has_context) {
  std::string problem;
  const NvmlTable& call = Nvml::instance().call();
  NvmlDevice device = Nvml::instance().find(pci_id, problem);
  const auto others = device ? other_processes(call, part_of(call, device, mig_uuid), has_context) : std::nullopt;
  std::string words;
  for (const std::string& one : others.value_or(std::vector<std::string>{})) {
    // "another process" is listed only once.
    if (words.find(one) == std::string::npos) words += (words.empty() ? "" : ", ") + one;
  }
  return words;
}

std::string nvml_connection(const std::string& pci_id, const std::string& peer_pci_id) {
  std::string problem;
  const NvmlTable& call = Nvml::instance().call();
  NvmlDevice device = Nvml::instance().find(pci_id, problem);
  NvmlDevice peer = Nvml::instance().find(peer_pci_id, problem);
  if (!device || !peer) return "";
  int status = -1;
  if (call.p2p_status && call.p2p_status(device, peer, nvml::kP2pNvlink, &status) == 0 && status == 0) {
    const std::vector<std::string> ends = far_ends(NvmlCard(device, false));
    const auto direct = std::count(ends.begin(), ends.end(), peer_pci_id);
    // With NVSwitch no link names the peer: every link reaches it.
    if (ends.empty()) return "NVLink";
    return "NVLink x" + std::to_string(direct ? static_cast<std::size_t>(direct) : ends.size());
  }
  int level = -1;
  if (!call.common_ancestor || call.common_ancestor(device, peer, &level) != 0) return "";
  // The names of `nvidia-smi topo`, by the levels of nvml.h.
  static const std::map<int, const char*> words = {{0, "PCIe PIX"},  {10, "PCIe PIX"},  {20, "PCIe PXB"},
                                                   {30, "PCIe PHB"}, {40, "PCIe NODE"}, {50, "PCIe SYS"}};
  const auto word = words.find(level);
  return word == words.end() ? "" : word->second;
}

}  // namespace gpumark
