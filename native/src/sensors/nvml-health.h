// What NVML tells about the health of a card: as it is, and as it changes during a run.
#pragma once
#include <map>

#include "sensors/nvml-links.h"

namespace gpumark {

/** As NvmlCard and the sensor call what is the card's and not the instance's. */
inline const char* nvml_scope(bool is_mig) { return is_mig ? "whole card, of which the device is a part" : "gpu"; }

/** Adds ECC, remapped and retired memory, links, clocks, firmware, fabric, recovery action: all of them the card's. */
void add_nvml_health(const NvmlCard& card, JsonObject& to, FactWriter& facts);

/** Counters and states at the start of a run, and how they differ at its end. */
class NvmlChanges {
 public:
  explicit NvmlChanges(const NvmlCard& card);
  void report(FactWriter& facts) const;

 private:
  struct Remaps {
    Number correctable, uncorrectable, pending, failure;
  };
  Remaps remaps() const;
  /** Seconds for which each reason of kReasons has held the clocks down since the driver was loaded. */
  std::vector<Number> throttled() const;
  void report_links(FactWriter& facts) const;

  NvmlCard card_;
  double since_;
  Number corrected_, uncorrected_, replays_;
  Remaps remaps_;
  LinkStates links_;
  std::map<unsigned, LinkErrors> link_errors_;
  std::vector<Number> throttled_;
};

}  // namespace gpumark
