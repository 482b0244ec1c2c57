#include "link/ping-pong.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace gpumark::link {
namespace {

/** More add nothing: at 20 us per round trip these take a third of the time. */
constexpr std::uint64_t kMost = 5000;
constexpr Ns kLongest = 300 * kMillisecond;
/**
 * Warm-up round trips, discarded: cold caches, sleeping cores, the first wake-ups. At most this many, and at most a
 * quarter of the time.
 */
constexpr std::uint64_t kWarmUp = 200;

/** True once the pong with this number has arrived; otherwise sets `error`: an errno, or -1 for a timeout. */
bool await(Control& control, std::uint64_t number, Ns by, const StopFlag& stop, int& error) {
  for (;;) {
    Message message;
    int heard_error = 0;
    const Control::Heard heard = control.hear(message, true, heard_error);
    if (heard == Control::Heard::message && message.word == Word::pong && message.number == number) return true;
    if (heard == Control::Heard::closed) {
      error = heard_error;
      return false;
    }
    if (heard == Control::Heard::nothing && (stop.stopped() || now_ns() >= by)) return false;
  }
}

}  // namespace

std::optional<RoundTrips> summarise(std::vector<Ns> samples) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  const auto rank = [&](double share) {
    const auto at = static_cast<std::size_t>(std::ceil(share * static_cast<double>(samples.size())));
    return to_us(samples[std::max<std::size_t>(at, 1) - 1]);
  };
  return RoundTrips{to_us(samples.front()), rank(0.5), rank(0.99), to_us(samples.back()),
                    static_cast<int>(samples.size())};
}

Pings ping(Control& control, Ns pause, Ns by, const StopFlag& stop) {
  Pings result;
  std::vector<Ns> samples, warm_up;
  samples.reserve(kMost);
  const Ns begun = now_ns(), warm = begun + kLongest / 4, until = std::min(begun + kLongest, by);
  for (std::uint64_t number = 1; number <= kWarmUp + kMost && !stop.stopped(); ++number) {
    const Ns before = now_ns();
    if (before >= until) break;
    const int failure = control.say({Word::ping, Direction::forward, 0, number}, by);
    if (failure != 0) {
      result.error = failure;
      break;
    }
    if (!await(control, number, by, stop, result.error)) {
      result.waiting_for = number;
      break;
    }
    const Ns after = now_ns();
    (number > kWarmUp || before > warm ? samples : warm_up).push_back(after - before);
    if (pause > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(pause));
  }
  // On a lossy link there may be only warm-up samples.
  result.round_trips = summarise(samples.empty() ? std::move(warm_up) : std::move(samples));
  return result;
}

}  // namespace gpumark::link
