#include "measure/drift.h"

#include <cmath>
#include <deque>

#include "measure/load-class.h"
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

SeriesPlan series_plan(Tier tier) {
  switch (tier) {
    case Tier::standard: return {0.04, 3, 0.36};
    case Tier::soak: return {0.04, 3, 1};
    default: return {kSustainedCounted / kQuickProduct, 1, kSustainedCounted / kQuickProduct};
  }
}

SettledSeries take_until_settled(const SeriesPlan& plan, double seconds,
                                 const std::function<std::vector<double>(double seconds)>& take,
                                 const std::function<double()>& now, const std::function<bool()>& stopped) {
  // Tolerance for floating-point rounding: a sum of equal pieces may slightly exceed the limit.
  constexpr double kRounding = 1e-6;
  const double piece = seconds * plan.piece, end = now() + seconds * (plan.limit + kRounding);
  SettledSeries series;
  std::deque<std::vector<double>> last;
  for (bool goes_on = true; goes_on && !stopped();) {
    std::vector<double> rates = take(piece);
    ++series.pieces_taken;
    // A piece cut short by a signal does not replace a complete one.
    if (stopped() && !last.empty()) break;
    series.end_counted = series.pieces_taken;
    last.push_back(std::move(rates));
    if (static_cast<int>(last.size()) > plan.pieces) last.pop_front();
    series.rates.clear();
    for (const std::vector<double>& one : last) series.rates.insert(series.rates.end(), one.begin(), one.end());
    const std::optional<Drift> drift = drift_of(series.rates);
    const bool is_whole = static_cast<int>(last.size()) == plan.pieces;
    goes_on = !(is_whole && (!drift || drift->settled())) && now() + piece <= end;
  }
  series.first_counted = series.end_counted - static_cast<int>(last.size());
  return series;
}

void add_drift(const std::vector<double>& tflops, JsonObject& details, bool long_enough) {
  const std::optional<Drift> drift = drift_of(tflops);
  // A series that has already drifted is not settled, however short it was.
  const bool known = drift && (long_enough || !drift->settled());
  known ? details.boolean("settled", drift->settled()) : details.null("settled");
  if (drift)
    details.object("drift", JsonObject{}
                                .number("first_quarter_tflops", drift->first)
                                .number("last_quarter_tflops", drift->last)
                                .number("share", drift->share()));
}

}  // namespace gpumark
