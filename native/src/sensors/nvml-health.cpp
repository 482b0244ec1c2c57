#include "sensors/nvml-health.h"

#include <algorithm>

namespace gpumark {
namespace {

Fact<std::string> named(const Number& number, std::initializer_list<const char*> names) {
  if (!number.value) return {std::nullopt, number.problem};
  const auto index = static_cast<std::size_t>(*number.value);
  if (index >= names.size()) return {std::nullopt, implausible(json_number(*number.value)).problem};
  return {names.begin()[index], ""};
}

/** nvmlEnableState_t */
Fact<std::string> mode(const NvmlCard& card, int code, int state) {
  return named(card.counter(code, static_cast<unsigned>(state)), {"disabled", "enabled"});
}

void add_memory(const NvmlCard& card, FactWriter& facts) {
  int current = 0, pending = 0;
  const int code = card.ask(card.call().ecc_mode, &current, &pending);
  facts.text("ecc_mode", mode(card, code, current));
  facts.text("ecc_mode_pending", mode(card, code, pending));

  unsigned correctable = 0, uncorrectable = 0, is_pending = 0, failure = 0;
  const int remapped = card.ask(card.call().remapped_rows, &correctable, &uncorrectable, &is_pending, &failure);
  facts.group("row_remaps", FactGroup()
                                .number("correctable", card.counter(remapped, correctable))
                                .number("uncorrectable", card.counter(remapped, uncorrectable))
                                .boolean("pending", card.counter(remapped, is_pending))
                                .boolean("failure", card.counter(remapped, failure)));
  const auto errors = [&](int counter) {
    return FactGroup()
        .number("corrected", card.ecc(nvml::kCorrected, counter))
        .number("uncorrected", card.ecc(nvml::kUncorrected, counter));
  };
  facts.group("ecc_errors", errors(nvml::kAggregate));
  facts.group("ecc_errors_volatile", errors(nvml::kVolatile));

  // Asked without room for their addresses, NVML tells their number.
  const auto retired = [&](int cause) {
    unsigned count = 0;
    const int told = card.ask(card.call().retired_pages, cause, &count, static_cast<unsigned long long*>(nullptr));
    return card.counter(told == nvml::kInsufficientSize ? 0 : told, count);
  };
  int is_retiring = 0;
  const int retiring = card.ask(card.call().retired_pending, &is_retiring);
  facts.group("retired_pages", FactGroup()
                                   .number("single_bit", retired(nvml::kSingleBit))
                                   .number("double_bit", retired(nvml::kDoubleBit))
                                   .boolean("pending", card.counter(retiring, static_cast<unsigned>(is_retiring))));
}

void add_clocks(const NvmlCard& card, FactWriter& facts) {
  const NvmlTable& call = card.call();
  facts.group("clocks_max", FactGroup()
                                .number("sm_mhz", card.megahertz(call.clock_max, nvml::kClockSm))
                                .number("memory_mhz", card.megahertz(call.clock_max, nvml::kClockMemory)));
  facts.group("application_clocks",
              FactGroup()
                  .number("sm_mhz", card.megahertz(call.application_clock, nvml::kClockSm))
                  .number("memory_mhz", card.megahertz(call.application_clock, nvml::kClockMemory))
                  .number("default_sm_mhz", card.megahertz(call.application_clock_default, nvml::kClockSm))
                  .number("default_memory_mhz", card.megahertz(call.application_clock_default, nvml::kClockMemory)));
}

void add_firmware(const NvmlCard& card, FactWriter& facts) {
  unsigned enabled = 0, standard = 0;
  // NVML_GSP_FIRMWARE_VERSION_BUF_SIZE is 64; the call is not told the buffer's size.
  char version[256] = {};
  const int code = card.ask(card.call().gsp_mode, &enabled, &standard);
  const int told = card.ask(card.call().gsp_version, version);
  version[sizeof version - 1] = '\0';
  const std::string text = told == 0 ? std::string(version).substr(0, 64) : "";
  facts.group("gsp_firmware",
              FactGroup()
                  .boolean("enabled", card.counter(code, enabled))
                  .text("version", text.empty() ? Fact<std::string>{std::nullopt, told ? card.why(told) : "it is empty"}
                                                : Fact<std::string>{text, ""}));
}

/** Two bits of the fabric's health: 1 true, 2 false; 0 is not told. */
void add_bits(JsonObject& to, const char* key, unsigned mask, unsigned shift) {
  const unsigned bits = mask >> shift & 3;
  bits == 1 || bits == 2 ? to.boolean(key, bits == 1) : to.null(key);
}

JsonObject fabric_health(unsigned mask) {
  // NVML_GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_*
  static const char* const wrong[] = {nullptr,
                                      "none",
                                      "incorrect system GUID",
                                      "incorrect chassis serial number",
                                      "no partition",
                                      "insufficient NVLinks",
                                      "incompatible GPU firmware",
                                      "invalid location",
                                      "invalid state of the GPU"};
  JsonObject health;
  add_bits(health, "degraded_bandwidth", mask, 0);
  add_bits(health, "route_recovery", mask, 2);
  add_bits(health, "route_unhealthy", mask, 4);
  add_bits(health, "access_timeout", mask, 6);
  const unsigned configuration = mask >> 8 & 0xf;
  configuration > 0 && configuration < std::size(wrong) ? health.text("incorrect_configuration", wrong[configuration])
                                                        : health.null("incorrect_configuration");
  return health;
}

/** In the newest form that the driver has. */
void add_fabric(const NvmlCard& card, JsonObject& to, FactWriter& facts) {
  NvmlFabricInfoV info = {};
  info.version = kNvmlFabricInfo3;
  int version = 3, code = card.ask(card.call().fabric_v, &info);
  if (code == nvml::kVersionMismatch || code == nvml::kInvalidArgument) {
    info = {};
    info.version = kNvmlFabricInfo2;
    version = 2;
    code = card.ask(card.call().fabric_v, &info);
  }
  if (code == nvml::kFunctionNotFound) {
    NvmlFabricInfo first = {};
    version = 1;
    code = card.ask(card.call().fabric, &first);
    info.state = first.state;
    info.status = first.status;
  }
  const auto state =
      named(card.counter(code, info.state), {"not supported", "not started", "in progress", "completed"});
  if (!state.value) return facts.missing("fabric", state.problem);
  JsonObject fabric;
  fabric.text("state", *state.value);
  // The probe's result counts only once the probe has ended.
  if (*state.value != "completed") {
    fabric.null("status");
  } else {
    fabric.text("status", info.status == 0 ? "success" : "the probe failed: " + card.why(info.status));
  }
  version >= 2 ? fabric.object("health", fabric_health(info.health_mask)) : fabric.null("health");
  static const char* const summaries[] = {nullptr, "healthy", "unhealthy", "limited capacity"};
  version >= 3 && info.health_summary > 0 && info.health_summary < std::size(summaries)
      ? fabric.text("summary", summaries[info.health_summary])
      : fabric.null("summary");
  to.object("fabric", fabric);
}

}  // namespace

void add_nvml_health(const NvmlCard& card, JsonObject& to, FactWriter& facts) {
  to.text("health_scope", nvml_scope(card.is_mig()));
  add_memory(card, facts);
  add_link_facts(card, to, facts);
  add_clocks(card, facts);
  add_firmware(card, facts);
  add_fabric(card, to, facts);
  // nvmlDeviceGpuRecoveryAction_t
  facts.text("recovery_action",
             named(card.field(nvml::kFieldRecoveryAction, nvml::kScopeGpu),
                   {"none", "reset", "reboot", "drain p2p", "drain and reset", "recover imex domain"}));
}

}  // namespace gpumark
