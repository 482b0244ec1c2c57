// A card on a clock of its own that runs products with idle gaps and a power cap, for the test of the figure: nothing
// is computed, each launch of the product advances the clock, and events have the clock's time.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <random>
#include <string>

namespace gpumark::sim {

class LoadModel {
 public:
  /** A moment on the clock, and the products that were executed before it. */
  struct Moment {
    double seconds = 0;
    std::uint64_t products = 0;
  };

  /** From now on launches of `product` take what the seed says; null: back to the real clock. */
  void begin(std::uint64_t seed, const char* product);
  bool runs(const char* kernel);
  /** Perhaps idles, then executes one product. */
  void run_product();
  bool is_active() const { return active_; }
  Moment now();

  /** The runner asks for the time between two events. */
  void asked(const Moment& from, const Moment& to);
  void open_window();
  /** From the first event that was asked about to the last. */
  void window(double* seconds, double* products);

 private:
  void pass(double seconds, double watts);
  void control();

  std::mutex mutex_;
  std::atomic<bool> active_{false};
  std::string product_;
  std::mt19937_64 random_;
  Moment now_, from_, to_;
  bool has_window_ = false;
  /** Of this load: a product's seconds at full clock, how often and for how long the card idles, cap and controller. */
  double work_ = 0, gap_share_ = 0, gap_ = 0, cap_watts_ = 0, period_ = 0, step_ = 0;
  double clock_ = 1, joules_ = 0, next_control_ = 0;
};

LoadModel& load_model();

}  // namespace gpumark::sim
