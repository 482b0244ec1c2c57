#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "echo.h"
#include "tool.h"

namespace {
constexpr int kLastAnswersMs = 500;

/// Takes answers until `until`, or until there are `wanted` of them.
void listen(const EchoSocket& echo, Clock::time_point until, const std::vector<Clock::time_point>& sent, std::vector<double>& round_trips,
            size_t wanted) {
  while (round_trips.size() < wanted) {
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(until - Clock::now()).count();
    if (left <= 0) return;
    pollfd waiting{echo.socket(), POLLIN, 0};
    const timespec timeout{left / 1'000'000, (left % 1'000'000) * 1000};
    if (ppoll(&waiting, 1, &timeout, nullptr) <= 0) return;
    for (int number = echo.take(); number >= 0; number = echo.take()) {
      if (static_cast<size_t>(number) < sent.size()) round_trips.push_back(microsecondsSince(sent[static_cast<size_t>(number)]));
    }
  }
}
}  // namespace

/// ping NETNS ADDRESS COUNT INTERVAL_MS -> {"sent","received","min_us","median_us"}; times are null without an answer.
int ping(const Words& words) {
  if (words.size() != 4) fail("ping takes 4 arguments");
  const EchoSocket echo(words[0]);
  const int count = std::min(wholeNumber(words[2]), 65'535);
  const Milliseconds interval(wholeNumber(words[3]));
  std::vector<Clock::time_point> sent;
  std::vector<double> round_trips;
  for (int number = 0; number < count; ++number) {
    sent.push_back(Clock::now());
    echo.send(words[1], static_cast<uint16_t>(number));
    listen(echo, Clock::now() + interval, sent, round_trips, static_cast<size_t>(count));
  }
  listen(echo, Clock::now() + Milliseconds(kLastAnswersMs), sent, round_trips, static_cast<size_t>(count));
  std::sort(round_trips.begin(), round_trips.end());
  std::printf("{\"sent\":%d,\"received\":%zu,", count, round_trips.size());
  if (round_trips.empty()) {
    std::printf("\"min_us\":null,\"median_us\":null}\n");
  } else {
    std::printf("\"min_us\":%.1f,\"median_us\":%.1f}\n", round_trips.front(), round_trips[round_trips.size() / 2]);
  }
  return 0;
}
