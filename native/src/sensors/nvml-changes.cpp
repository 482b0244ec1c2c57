// What changes on an NVIDIA card during a run: errors, remapped memory, links, time under limits.
#include <algorithm>

#include "measure/time.h"
#include "sensors/nvml-health.h"

namespace gpumark {
namespace {

/** The call's policy, and the field that CUDA 13 names in its place. "Reliability" also counts at the highest voltage.
 */
struct HeldBy {
  const char* name;
  int policy;
  unsigned field;
};
constexpr HeldBy kReasons[] = {
    {"sw_power_cap", nvml::kPolicyPower, nvml::kFieldPolicyPower},
    {"sw_thermal", nvml::kPolicyThermal, nvml::kFieldPolicyThermal},
    {"sync_boost", nvml::kPolicySyncBoost, nvml::kFieldPolicySyncBoost},
    {"board_limit", nvml::kPolicyBoardLimit, nvml::kFieldPolicyBoardLimit},
};

/** The record of a card has a limit (coordinator/contract/size-caps.ts); the sums have all links. */
constexpr std::size_t kMostErrorLinks = 8;

}  // namespace

NvmlChanges::NvmlChanges(const NvmlCard& card)
    : card_(card),
      since_(now_seconds()),
      corrected_(card.ecc(nvml::kCorrected, nvml::kVolatile)),
      uncorrected_(card.ecc(nvml::kUncorrected, nvml::kVolatile)),
      replays_(card.counter(card.call().pcie_replays)),
      remaps_(remaps()),
      links_(read_link_states(card)),
      link_errors_(read_link_errors(card, links_)),
      throttled_(throttled()) {}

NvmlChanges::Remaps NvmlChanges::remaps() const {
  unsigned correctable = 0, uncorrectable = 0, pending = 0, failure = 0;
  const int code = card_.ask(card_.call().remapped_rows, &correctable, &uncorrectable, &pending, &failure);
  return {card_.counter(code, correctable), card_.counter(code, uncorrectable), card_.counter(code, pending),
          card_.counter(code, failure)};
}

std::vector<Number> NvmlChanges::throttled() const {
  std::vector<Number> all;
  for (const HeldBy& reason : kReasons) {
    NvmlViolation violation = {};
    const int code = card_.ask(card_.call().violation, reason.policy, &violation);
    Fact<unsigned long long> nanoseconds{violation.violation_ns, ""};
    if (code == nvml::kFunctionNotFound) nanoseconds = card_.raw_field(reason.field, nvml::kScopeGpu);
    if (code != 0 && code != nvml::kFunctionNotFound) nanoseconds = {std::nullopt, card_.why(code)};
    all.push_back(nanoseconds.value ? Number{static_cast<double>(*nanoseconds.value) * 1e-9, ""}
                                    : Number{std::nullopt, nanoseconds.problem});
  }
  return all;
}

void NvmlChanges::report(FactWriter& facts) const {
  facts.number("ecc_corrected_during_run", growth(corrected_, card_.ecc(nvml::kCorrected, nvml::kVolatile)));
  facts.number("ecc_uncorrected_during_run", growth(uncorrected_, card_.ecc(nvml::kUncorrected, nvml::kVolatile)));
  facts.number("pcie_replays_during_run", growth(replays_, card_.counter(card_.call().pcie_replays)));
  const Remaps now = remaps();
  facts.group("row_remaps_during_run", FactGroup()
                                           .number("correctable", growth(remaps_.correctable, now.correctable))
                                           .number("uncorrectable", growth(remaps_.uncorrectable, now.uncorrectable))
                                           .boolean("pending", now.pending)
                                           .boolean("failure", now.failure));
  report_links(facts);
  const std::vector<Number> ended = throttled();
  const double elapsed = now_seconds() - since_;
  FactGroup held;
  for (std::size_t i = 0; i < std::size(kReasons); ++i) {
    const Number seconds = growth(throttled_[i], ended[i]);
    // The driver refreshes these at its own times: up to a second from before the run may be among them.
    held.number(kReasons[i].name, !seconds.value || *seconds.value <= elapsed + 1
                                      ? seconds
                                      : implausible(json_number(*seconds.value) + " s"));
  }
  facts.group("throttle_seconds", held);
}

void NvmlChanges::report_links(FactWriter& facts) const {
  const LinkStates now = read_link_states(card_);
  const std::string& problem = links_.problem.empty() ? now.problem : links_.problem;
  if (!problem.empty() || link_errors_.empty()) {
    for (const char* key : {"nvlink_errors_during_run", "nvlink_error_links", "nvlink_lost_during_run"})
      facts.missing(key, problem.empty() ? "not on this card" : problem);
    return;
  }
  const auto errors_now = read_link_errors(card_, now);
  std::array<Number, kLinkCounterCount> sums;
  std::vector<std::pair<double, JsonObject>> broken;
  for (const auto& [link, before] : link_errors_) {
    const auto found = errors_now.find(link);
    JsonObject one;
    one.integer("link", link);
    double count = 0;
    for (std::size_t i = 0; i < kLinkCounterCount; ++i) {
      const Number grown =
          found == errors_now.end() ? Number{std::nullopt, "the link is gone"} : growth(before[i], found->second[i]);
      if (grown.value) sums[i].value = sums[i].value.value_or(0) + *grown.value;
      if (!grown.value) sums[i].problem = grown.problem;
      if (grown.value.value_or(0) == 0) continue;
      one.number(kLinkCounters[i].name, *grown.value);
      count += *grown.value;
    }
    if (count > 0) broken.emplace_back(count, one);
  }
  FactGroup all;
  for (std::size_t i = 0; i < kLinkCounterCount; ++i) {
    // The newer counters are named only if the card has them: it has either these or the older ones.
    if (sums[i].value || kLinkCounters[i].of_call >= 0) all.number(kLinkCounters[i].name, sums[i]);
  }
  facts.group("nvlink_errors_during_run", all);
  std::stable_sort(broken.begin(), broken.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<JsonObject> worst;
  for (std::size_t i = 0; i < broken.size() && i < kMostErrorLinks; ++i) worst.push_back(broken[i].second);
  facts.objects("nvlink_error_links", {worst, ""});
  std::vector<double> lost;
  for (const unsigned link : links_.active) {
    if (std::find(now.active.begin(), now.active.end(), link) == now.active.end()) lost.push_back(link);
  }
  facts.numbers("nvlink_lost_during_run", {lost, ""});
}

}  // namespace gpumark
