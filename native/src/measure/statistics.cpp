#include "measure/statistics.h"

#include <algorithm>
#include <cmath>

namespace gpumark {

Statistics summarize(std::vector<double> samples) {
  Statistics s;
  if (samples.empty()) return s;
  std::sort(samples.begin(), samples.end());
  s.n = static_cast<int>(samples.size());
  s.min = samples.front();
  s.max = samples.back();
  s.median = quantile(samples, 0.5);
  s.p5 = quantile(samples, 0.05);
  s.p95 = quantile(samples, 0.95);
  double sum = 0;
  for (const double x : samples) sum += x;
  s.mean = sum / s.n;
  if (s.n > 1 && s.mean != 0) {
    double squares = 0;
    for (const double x : samples) squares += (x - s.mean) * (x - s.mean);
    s.cv = std::sqrt(squares / (s.n - 1)) / std::fabs(s.mean);
  }
  return s;
}

double quantile(const std::vector<double>& sorted, double q) {
  const double rank = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace gpumark
