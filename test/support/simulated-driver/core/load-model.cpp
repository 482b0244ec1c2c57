#include "core/load-model.h"

#include <algorithm>

namespace gpumark::sim {
namespace {

constexpr double kIdleWatts = 70, kFullWatts = 700, kLowestClock = 0.4;

double between(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

}  // namespace

void LoadModel::begin(std::uint64_t seed, const char* product) {
  const std::lock_guard lock(mutex_);
  active_ = product != nullptr;
  product_ = product ? product : "";
  random_.seed(seed);
  now_ = {};
  has_window_ = false;
  work_ = between(random_, 0.3e-3, 4e-3);
  gap_share_ = seed % 4 == 0 ? 0 : between(random_, 0.02, 0.5);
  gap_ = between(random_, 0.02e-3, 8e-3);
  cap_watts_ = seed % 5 == 0 ? 2 * kFullWatts : between(random_, 0.35, 0.95) * kFullWatts;
  period_ = between(random_, 1e-3, 40e-3);
  step_ = between(random_, 0.01, 0.15);
  clock_ = 1;
  joules_ = 0;
  next_control_ = period_;
}

bool LoadModel::runs(const char* kernel) {
  if (!active_) return false;
  const std::lock_guard lock(mutex_);
  return product_ == kernel;
}

/** The clock follows the mean power of the last period: what an idle card saves is spent in the next burst. */
void LoadModel::control() {
  clock_ = std::clamp(clock_ + (joules_ / period_ > cap_watts_ ? -step_ : step_), kLowestClock, 1.0);
  joules_ = 0;
  next_control_ += period_;
}

void LoadModel::pass(double seconds, double watts) {
  joules_ += watts * seconds;
  now_.seconds += seconds;
  if (now_.seconds >= next_control_) control();
}

void LoadModel::run_product() {
  const std::lock_guard lock(mutex_);
  if (between(random_, 0, 1) < gap_share_) {
    for (double left = between(random_, 0, 2) * gap_; left > 0;) {
      const double part = std::min(left, next_control_ - now_.seconds);
      pass(part, kIdleWatts);
      left -= std::max(part, 1e-9);
    }
  }
  for (double left = work_ * between(random_, 0.97, 1.03); left > 1e-12;) {
    const double clock = clock_, part = std::min(left / clock, next_control_ - now_.seconds);
    pass(part, kIdleWatts + (kFullWatts - kIdleWatts) * clock * clock * clock);
    left -= std::max(part * clock, 1e-9);
  }
  ++now_.products;
}

LoadModel::Moment LoadModel::now() {
  const std::lock_guard lock(mutex_);
  return now_;
}

void LoadModel::open_window() {
  const std::lock_guard lock(mutex_);
  has_window_ = false;
}

void LoadModel::asked(const Moment& from, const Moment& to) {
  const std::lock_guard lock(mutex_);
  if (!has_window_) from_ = from;
  has_window_ = true;
  to_ = to;
}

void LoadModel::window(double* seconds, double* products) {
  const std::lock_guard lock(mutex_);
  *seconds = has_window_ ? to_.seconds - from_.seconds : 0;
  *products = has_window_ ? static_cast<double>(to_.products - from_.products) : 0;
}

LoadModel& load_model() {
  // Stream threads run until the process ends.
  static LoadModel* const model = new LoadModel;
  return *model;
}

}  // namespace gpumark::sim

// For the program that drives the card (test/native/unit-load.cpp).
extern "C" void gpumark_sim_begin_load(std::uint64_t seed, const char* product) {
  gpumark::sim::load_model().begin(seed, product);
}
extern "C" void gpumark_sim_open_window() { gpumark::sim::load_model().open_window(); }
extern "C" void gpumark_sim_window(double* seconds, double* products) {
  gpumark::sim::load_model().window(seconds, products);
}
