// Readings of a card's health that faults change: value, or refusal. The kinds are listed in README.md.
#pragma once
#include <cstdint>
#include <string>

#include "core/device.h"

namespace gpumark::sim {

struct HealthReading {
  enum class Refusal { none, unsupported, denied };
  Refusal refusal = Refusal::none;
  std::uint64_t value = 0;
};

/** Whether a fault of this kind changes a reading of a card's health. */
bool is_health_kind(const std::string& kind);

/**
 * What the card tells: `healthy`, or what a fault of this kind makes of it. `N` is the reading from the start, `+N`
 * grows by N at the first launch, `-N` is N and falls back to `healthy` there; `none` and `denied` are refusals.
 */
HealthReading health(const Device& device, const char* kind, std::uint64_t healthy);
/** A reading that is a text. */
std::string health_text(const Device& device, const char* kind, const std::string& healthy);

}  // namespace gpumark::sim
