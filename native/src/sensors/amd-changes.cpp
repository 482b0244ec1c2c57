// What changes on an AMD card during a run: errors, PCIe replays, time under limits.
#include "measure/time.h"
#include "sensors/amd-health.h"
#include "sensors/amd-throttle.h"

namespace gpumark {
namespace {

AmdErrors growth(const AmdErrors& before, const AmdErrors& now) {
  return {growth(before.corrected, now.corrected), growth(before.uncorrected, now.uncorrected),
          growth(before.deferred, now.deferred)};
}

}  // namespace

AmdChanges::AmdChanges(const AmdCard& card)
    : card_(card),
      since_(now_seconds()),
      all_(card.errors()),
      memory_(card.errors_of(rsmi::kUmcBlock, "umc_err_count")),
      links_(card.errors_of(rsmi::kXgmiBlock, "xgmi_wafl_err_count")),
      replays_(card.replays()),
      metrics_(read_amd_metrics(card.folder())) {}

void AmdChanges::report(FactWriter& facts) const {
  const AmdErrors memory = growth(memory_, card_.errors_of(rsmi::kUmcBlock, "umc_err_count"));
  facts.number("ecc_corrected_during_run", memory.corrected);
  facts.number("ecc_uncorrected_during_run", memory.uncorrected);
  facts.number("pcie_replays_during_run", growth(replays_, card_.replays()));
  facts.group("ras_during_run", growth(all_, card_.errors()).group());
  // Not the file xgmi_error: reading it clears what it tells, also for other programs that watch the machine.
  const AmdErrors links = growth(links_, card_.errors_of(rsmi::kXgmiBlock, "xgmi_wafl_err_count"));
  facts.group("xgmi_errors_during_run",
              FactGroup().number("corrected", links.corrected).number("uncorrected", links.uncorrected));
  facts.group("throttle_seconds",
              amd_throttle_seconds(metrics_, read_amd_metrics(card_.folder()), now_seconds() - since_));
}

}  // namespace gpumark
