#include "link/exchange.h"

#include <algorithm>

#include "link/ping-pong.h"

namespace gpumark::link {
namespace {

/** Time that a direction needs after its window: to signal the end, and to drain the link's queue. */
constexpr Ns kTail = 60 * kMillisecond;

}  // namespace

Exchange::Exchange(const SlotPlan& plan, std::vector<Socket> connections, const StopFlag& stop)
    : plan_(plan),
      times_(plan),
      connections_(std::move(connections)),
      control_(connections_.front().get()),
      stop_(stop) {}

std::vector<int> Exchange::measured() const {
  std::vector<int> streams;
  for (std::size_t i = 1; i < connections_.size(); ++i) streams.push_back(connections_[i].get());
  return streams;
}

void Exchange::fail(const Outcome& outcome) {
  if (!failed_) outcome_ = outcome;
  failed_ = true;
}

void Exchange::run(SlotReport& report) {
  plan_.role == Role::dial ? dial(report) : listen(report);
  if (receiver_) receiver_->stop();
  conclude(report);
}

void Exchange::dial(SlotReport& report) {
  const Pings pings = ping(control_, plan_.ping_pause, times_.ping_by, stop_);
  report.round_trips = pings.round_trips;
  waiting_for_pong_ = pings.waiting_for;
  if (pings.error >= 0) return fail(broken(Stage::ping, pings.error));
  // If a ping is never answered, the measurement continues: the link may be lossy. A peer that is gone stays silent,
  // which is detected at the end.
  send(Direction::forward, times_.forward_by, report);
  if (over()) return;
  window_ = {times_.warm(), times_.measured(), times_.reverse_by - kTail};
  receiver_ = std::make_unique<Receiver>(measured());
  receive(Direction::reverse, times_.end_by);
}

void Exchange::listen(SlotReport& report) {
  window_ = {times_.warm(), times_.measured(), times_.forward_by - kTail};
  receiver_ = std::make_unique<Receiver>(measured());
  receive(Direction::forward, times_.forward_by);
  // On a lossy link the end of the forward direction may be late and arrive during the reverse one. A direction that
  // never began is over.
  if (over() || receiver_->first() == 0) return;
  send(Direction::reverse, times_.reverse_by, report);
  await_drained(Direction::reverse);
}

void Exchange::send(Direction direction, Ns until, SlotReport& report) {
  stage_ = direction == Direction::forward ? Stage::forward : Stage::reverse;
  progress_ = {};
  Sender sender(measured(), until, plan_.cap);
  while (!over() && !progress_.enough && !sender.finished() && sender.error() < 0) hear();
  sender.stop();
  std::uint64_t total = 0;
  std::uint8_t stream = 0;
  for (const std::uint64_t bytes : sender.sent()) {
    total += bytes;
    if (!over()) say({Word::sent, direction, stream++, bytes});
  }
  report.sent = Sent{total, {}};
  if (sender.error() >= 0) fail(broken(stage_, sender.error()));
}

void Exchange::receive(Direction direction, Ns until) {
  stage_ = direction == Direction::forward ? Stage::ping : Stage::reverse;
  while (!over() && !said_drained_ && now_ns() < until) {
    hear();
    if (receiver_->first() != 0 && stage_ == Stage::ping) stage_ = Stage::forward;
    answer(direction);
  }
}

void Exchange::answer(Direction direction) {
  const Ns first = receiver_->first();
  if (first == 0 || said_drained_) return;
  if (!said_enough_ && (now_ns() > window_.end_after(first) || receiver_->told())) {
    said_enough_ = true;
    say({Word::enough, direction, 0, 0});
  }
  if (receiver_->drained()) {
    said_drained_ = true;
    say({Word::drained, direction, 0, 0});
  } else if (receiver_->error() >= 0) {
    fail(broken(stage_, receiver_->error()));
  }
}

void Exchange::await_drained(Direction direction) {
  while (!over() && !progress_.drained && now_ns() < times_.end_by) {
    hear();
    if (progress_.enough) stage_ = Stage::report;
    answer(direction == Direction::forward ? Direction::reverse : Direction::forward);
  }
}

void Exchange::hear() {
  Message message;
  int error = 0;
  const Control::Heard heard = control_.hear(message, true, error);
  if (heard == Control::Heard::closed) fail(broken(stage_, error));
  if (heard == Control::Heard::message) act_on(message);
}

void Exchange::act_on(const Message& message) {
  const Direction ours = plan_.role == Role::dial ? Direction::forward : Direction::reverse;
  switch (message.word) {
    case Word::ping: say({Word::pong, message.direction, 0, message.number}); break;
    case Word::pong:
      if (message.number == waiting_for_pong_) waiting_for_pong_ = 0;
      break;
    case Word::enough:
      if (message.direction == ours) progress_.enough = true;
      break;
    case Word::drained:
      if (message.direction == ours) progress_.enough = progress_.drained = true;
      break;
    case Word::sent:
      if (message.direction != ours && receiver_) receiver_->expect(message.stream, message.number);
      break;
  }
}

void Exchange::say(const Message& message) {
  const int error = control_.say(message, times_.end_by);
  if (error != 0) fail(broken(stage_, error));
}

Stage Exchange::silent_stage() const {
  if (plan_.role == Role::dial)
    return waiting_for_pong_ != 0 ? Stage::ping : !progress_.enough ? Stage::forward : Stage::reverse;
  return receiver_->first() == 0 ? Stage::ping
         : !receiver_->told()    ? Stage::forward
         : !progress_.enough     ? Stage::reverse
                                 : Stage::report;
}

void Exchange::conclude(SlotReport& report) {
  const TcpCounters counters = read_counters(measured());
  report.mtu = counters.mtu;
  if (report.sent) report.sent->counters = counters;
  if (receiver_) report.received = receiver_->rate(window_);
  // The receivers of both directions know that they have ended.
  const bool complete = receiver_ && receiver_->told() && progress_.enough;
  if (stop_.stopped() && !complete) return void(report.outcome = cancelled(stage_));
  if (failed_ && !complete) return void(report.outcome = outcome_);
  if (!complete) return void(report.outcome = timed_out(silent_stage()));
  report.outcome = {Status::ok, Stage::report, report.received ? "" : "SHORT_WINDOW"};
}

}  // namespace gpumark::link
