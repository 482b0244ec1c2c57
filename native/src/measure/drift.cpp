#include "measure/drift.h"

#include <cmath>

#include "measure/statistics.h"

namespace gpumark {
namespace {

constexpr double kSettled = 0.02;
constexpr std::size_t kLeastRates = 8;

}  // namespace

bool Drift::settled() const { return std::fabs(share()) <= kSettled; }

std::optional<Drift> drift_of(const std::vector<double>& rates) {
  if (rates.size() < kLeastRates) return std::nullopt;
  const auto quarter = static_cast<std::ptrdiff_t>(rates.size() / 4);
  return Drift{summarize({rates.begin(), rates.begin() + quarter}).median,
               summarize({rates.end() - quarter, rates.end()}).median};
}

void add_drift(const std::vector<double>& tflops, JsonObject& details) {
  const std::optional<Drift> drift = drift_of(tflops);
  drift ? details.boolean("settled", drift->settled()) : details.null("settled");
  if (drift)
    details.object("drift", JsonObject{}
                                .number("first_quarter_tflops", drift->first)
                                .number("last_quarter_tflops", drift->last)
                                .number("share", drift->share()));
}

}  // namespace gpumark
