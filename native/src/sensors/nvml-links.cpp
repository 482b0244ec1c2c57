#include "sensors/nvml-links.h"

#include <algorithm>

namespace gpumark {
namespace {

/** Counters that no link from Blackwell on has; in kLinkCounters. */
constexpr std::size_t kCrcFlit = 0, kReplay = 2;

/** MB/s of one direction. NVLink 5 has 53,125; no link has a hundred times that. */
constexpr double kMostSpeed = 5e6;

Number speed_of(const NvmlCard& card, unsigned link) {
  const Number speed = card.field(nvml::kFieldLinkSpeed, link);
  return !speed.value || (*speed.value > 0 && *speed.value <= kMostSpeed) ? speed
                                                                          : implausible(json_number(*speed.value));
}

std::string far_end(const NvmlCard& card, unsigned link) {
  NvmlPciInfo remote = {};
  return card.ask(card.call().nvlink_remote, link, &remote) == 0 ? kernel_pci_id(remote.bus_id) : "";
}

/** @param speed if it is not that of all links */
JsonObject describe(const NvmlCard& card, unsigned link, std::optional<double> speed) {
  JsonObject one;
  unsigned version = 0;
  const bool has_version = card.ask(card.call().nvlink_version, link, &version) == 0;
  one.integer("link", link).boolean("active", true);
  has_version ? one.integer("version", version) : one.null("version");
  const std::string remote = far_end(card, link);
  remote.empty() ? one.null("remote_pci_id") : one.text("remote_pci_id", remote);
  if (speed) one.number("speed_mbs", *speed);
  return one;
}

Number link_counter(const NvmlCard& card, unsigned link, const LinkCounter& of) {
  unsigned long long count = 0;
  Number found{std::nullopt, ""};
  if (of.of_call >= 0) {
    const int code = card.ask(card.call().nvlink_errors, link, of.of_call, &count);
    found = card.counter(code, count);
  }
  for (const unsigned field : of.fields) {
    if (found.value || field == 0) continue;
    const Number again = card.field(field, link);
    if (again.value || found.problem.empty()) found = again;
  }
  return found;
}

}  // namespace

LinkStates read_link_states(const NvmlCard& card) {
  LinkStates states;
  for (unsigned link = 0; link < nvml::kMaxLinks; ++link) {
    int active = 0;
    const int code = card.ask(card.call().nvlink_state, link, &active);
    // What the driver answers to a link that the card does not have; the links that it has may have gaps.
    if (code == nvml::kInvalidArgument || code == nvml::kNotSupported) continue;
    if (code != 0) {
      states.problem = card.why(code);
      return states;
    }
    const auto is_asleep = [&] {
      const Number state = card.field(nvml::kFieldLinkState, link);
      return state.value && *state.value == nvml::kLinkAsleep;
    };
    (active || is_asleep() ? states.active : states.inactive).push_back(link);
  }
  return states;
}

std::map<unsigned, LinkErrors> read_link_errors(const NvmlCard& card, const LinkStates& states) {
  std::map<unsigned, LinkErrors> errors;
  for (const auto* links : {&states.active, &states.inactive}) {
    for (const unsigned link : *links) {
      LinkErrors& of_link = errors[link];
      for (std::size_t i = 0; i < kLinkCounterCount; ++i) {
        // A link that has the older counters has none of the newer, and each question takes time.
        const bool is_older = of_link[kCrcFlit].value || of_link[kReplay].value;
        if (kLinkCounters[i].of_call >= 0 || !is_older) of_link[i] = link_counter(card, link, kLinkCounters[i]);
      }
    }
  }
  return errors;
}

std::vector<std::string> far_ends(const NvmlCard& card) {
  std::vector<std::string> ends;
  for (const unsigned link : read_link_states(card).active) ends.push_back(far_end(card, link));
  return ends;
}

void add_link_facts(const NvmlCard& card, JsonObject& to, FactWriter& facts) {
  const LinkStates states = read_link_states(card);
  Number slowest{std::nullopt, "no link is active"};
  std::vector<std::optional<double>> speeds;
  bool differ = false;
  for (const unsigned link : states.active) {
    const Number speed = speed_of(card, link);
    speeds.push_back(speed.value);
    differ = differ || speed.value != speeds.front();
    if (!slowest.value || (speed.value && *speed.value < *slowest.value)) slowest = speed;
  }
  std::vector<JsonObject> links;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    links.push_back(describe(card, states.active[i], differ ? speeds[i] : std::nullopt));
  to.objects("nvlink", links).integer("nvlink_active", static_cast<std::int64_t>(links.size()));
  if (!states.problem.empty()) {
    for (const char* key : {"nvlink_supported", "nvlink_inactive", "nvlink_speed_mbs"})
      facts.missing(key, states.problem);
    return;
  }
  const auto supported = static_cast<double>(states.active.size() + states.inactive.size());
  facts.number("nvlink_supported", {supported, ""});
  facts.numbers("nvlink_inactive", {std::vector<double>(states.inactive.begin(), states.inactive.end()), ""});
  facts.number("nvlink_speed_mbs", slowest);
}

}  // namespace gpumark
