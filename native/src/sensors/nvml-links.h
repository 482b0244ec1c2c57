// The NVLink links of one card: their state, and their counters of errors.
#pragma once
#include <array>
#include <map>
#include <string>
#include <vector>

#include "sensors/nvml-card.h"

namespace gpumark {

/** Names of a link's counters in the record, and where NVML has them: its call (-1: not there), then its fields. */
struct LinkCounter {
  const char* name;
  int of_call;
  std::array<unsigned, 2> fields;
};
constexpr LinkCounter kLinkCounters[] = {
    {"crc_flit", nvml::kLinkCrcFlit, {nvml::kFieldLinkCrc, 0}},
    {"crc_data", nvml::kLinkCrcData, {0, 0}},
    {"replay", nvml::kLinkReplay, {nvml::kFieldLinkReplay, 0}},
    {"recovery", nvml::kLinkRecovery, {nvml::kFieldLinkRecovery, nvml::kFieldLinkRecoveries}},
    {"ecc", nvml::kLinkEcc, {0, 0}},
    {"recovery_failed", -1, {nvml::kFieldLinkRecoveryFailed, 0}},
    {"receive", -1, {nvml::kFieldLinkReceiveErrors, 0}},
    {"integrity", -1, {nvml::kFieldLinkIntegrity, 0}},
    {"overrun", -1, {nvml::kFieldLinkOverrun, 0}},
    {"malformed", -1, {nvml::kFieldLinkMalformed, 0}},
    {"discards", -1, {nvml::kFieldLinkDiscards, 0}},
};
constexpr std::size_t kLinkCounterCount = std::size(kLinkCounters);
using LinkErrors = std::array<Number, kLinkCounterCount>;

/** Which links the driver answers for. */
struct LinkStates {
  std::vector<unsigned> active, inactive;
  /** Why it is not known; empty if it is. */
  std::string problem;
};
LinkStates read_link_states(const NvmlCard& card);
/** By the link's number, of all links that the driver answers for. */
std::map<unsigned, LinkErrors> read_link_errors(const NvmlCard& card, const LinkStates& states);
/** PCI id of what is at the other end of each active link, in the kernel's form; empty if unknown. */
std::vector<std::string> far_ends(const NvmlCard& card);
/** Adds nvlink, nvlink_active, nvlink_supported, nvlink_inactive, nvlink_speed_mbs. */
void add_link_facts(const NvmlCard& card, JsonObject& to, FactWriter& facts);

}  // namespace gpumark
