// Summary of repeated samples. The median is the headline everywhere; the mean is used only for the contention flag.
#pragma once
#include <vector>

namespace gpumark {

struct Statistics {
  int n = 0;
  double min = 0;
  double max = 0;
  double median = 0;
  double p5 = 0;
  double p95 = 0;
  double mean = 0;
  /** Coefficient of variation: sample standard deviation (n - 1) over the mean; 0 for one sample. */
  double cv = 0;
};

/** Empty input gives n = 0 and zeros; callers must not publish that. */
Statistics summarize(std::vector<double> samples);

/**
 * Linear interpolation between order statistics: rank = q (n - 1), the "type 7" rule. Input sorted, not empty; q in [0,
 * 1].
 */
double quantile(const std::vector<double>& sorted, double q);

}  // namespace gpumark
