// What the kernel, ROCm SMI and AMD SMI tell about the health of an AMD card: as it is, and as it changes during a run.
#pragma once
#include <filesystem>
#include <optional>

#include "sensors/amd-metrics.h"
#include "sensors/amd-smi-table.h"
#include "sensors/fact.h"

namespace gpumark {

/** Counts of the kernel's RAS blocks; deferred errors are told by newer kernels only. */
struct AmdErrors {
  Number corrected, uncorrected, deferred;
  FactGroup group() const {
    return FactGroup().number("corrected", corrected).number("uncorrected", uncorrected).number("deferred", deferred);
  }
};

/** Each value from the kernel's file, which both libraries read too; in a guest without it from the library. */
class AmdCard {
 public:
  AmdCard(const std::string& sysfs_root, const std::string& pci_id);
  const std::filesystem::path& folder() const { return folder_; }
  /** PCI Express packets that were sent again, since the driver was loaded. */
  Number replays() const;
  /** Of all blocks. */
  AmdErrors errors() const;
  AmdErrors errors_of(std::uint64_t block, const char* file) const;
  FactGroup bad_pages() const;
  Fact<std::vector<JsonObject>> xgmi() const;

 private:
  /** What a code of the library that knows the card says. */
  std::string why(int code) const;
  AmdErrors library_errors(std::uint64_t block) const;
  /** Pages by their state, 0 to 2; a negative number is a failure. */
  int library_pages(std::uint32_t* count, AmdRetiredPage* pages) const;

  std::filesystem::path folder_;
  int index_;
  void* handle_;
};

/** Adds bad_pages, ras, xgmi, clocks_max, application_clocks. */
void add_amd_health(const AmdCard& card, JsonObject& to, FactWriter& facts);

/** Counters at the start of a run, and how far they are at its end. */
class AmdChanges {
 public:
  explicit AmdChanges(const AmdCard& card);
  void report(FactWriter& facts) const;

 private:
  AmdCard card_;
  double since_;
  AmdErrors all_, memory_, links_;
  Number replays_;
  std::optional<AmdMetrics> metrics_;
};

}  // namespace gpumark
