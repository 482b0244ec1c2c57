#include "link/slot.h"

#include "link/connect-slot.h"
#include "link/exchange.h"

namespace gpumark::link {
namespace {

std::string hex_of(const std::string& bytes) {
  static const char* digits = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    hex += digits[static_cast<unsigned char>(byte) >> 4];
    hex += digits[static_cast<unsigned char>(byte) & 15];
  }
  return hex;
}

}  // namespace

Slot::Slot(SlotPlan plan, KeyBook& book, LinkEvents& events)
    : plan_(std::move(plan)), book_(book), events_(events), channel_(plan_) {}

bool Slot::begin() {
  if (plan_.role == Role::listen) {
    const auto expected = std::make_shared<Expectation>();
    expected->id = wire_id(plan_.id);
    expected->key = plan_.key;
    expected->from = plan_.start - kReadyBefore;
    expected->until = plan_.start + plan_.length;
    expected->local = plan_.local;
    expected->streams = plan_.mode == Mode::channel ? 1 : plan_.streams + 1;
    expected->deliver = [inbox = inbox_](std::uint8_t stream, int fd) { inbox->put(stream, fd); };
    expected->suspect = [inbox = inbox_] { inbox->suspect(); };
    if (!book_.add(expected)) return false;
  }
  thread_ = std::thread([this] { run(); });
  return true;
}

Slot::~Slot() {
  stop_.stop();
  if (thread_.joinable()) thread_.join();
}

void Slot::run() {
  const Ns ready = plan_.role == Role::dial ? plan_.start + kDialAfter : plan_.start - kReadyBefore;
  // If cancelled before the start there is nothing to report.
  if (stop_.sleep_until(ready)) plan_.mode == Mode::channel ? relay() : measure();
  if (plan_.role == Role::listen) book_.remove(wire_id(plan_.id));
  inbox_->close();
  done_ = true;
}

std::vector<Socket> Slot::connect(int count, SlotReport& report) {
  if (now_ns() < SlotTimes(plan_).prove_by) {
    return plan_.role == Role::dial ? dial_slot(plan_, count, stop_, report)
                                    : await_slot(plan_, count, *inbox_, stop_, report);
  }
  report.outcome = {Status::timeout, Stage::connect, "TOO_LATE"};
  return {};
}

void Slot::measure() {
  SlotReport report;
  std::vector<Socket> connections = connect(plan_.streams + 1, report);
  // The connections are closed with the exchange, before the report: its reader may start the next slot on this link.
  if (!connections.empty()) Exchange(plan_, std::move(connections), stop_).run(report);
  events_.slot(plan_, report);
}

void Slot::relay() {
  SlotReport report;
  std::vector<Socket> connections = connect(1, report);
  events_.channel(plan_, report);
  if (connections.empty()) return;
  channel_.run(std::move(connections.front()), stop_,
               [this](const std::string& text) { events_.heard(plan_.id, hex_of(text)); });
  events_.hung_up(plan_.id);
}

}  // namespace gpumark::link
