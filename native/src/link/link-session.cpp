#include "link/link-session.h"

namespace gpumark::link {

LinkSession::LinkSession(Emitter& emitter, bool allow_public)
    : events_(emitter), allow_public_(allow_public), gate_(book_), dials_(events_, allow_public) {}

void LinkSession::execute(std::string_view line) {
  using Verb = void (LinkSession::*)(Command&);
  static const std::map<std::string_view, Verb> verbs = {
      {"listen", &LinkSession::listen},   {"unlisten", &LinkSession::unlisten}, {"accept", &LinkSession::accept},
      {"dial", &LinkSession::dial},       {"slot", &LinkSession::slot},         {"say", &LinkSession::say},
      {"hang_up", &LinkSession::hang_up}, {"cancel", &LinkSession::cancel}};
  try {
    Command command(line);
    const auto verb = verbs.find(command.verb());
    if (verb == verbs.end()) throw BadCommand{shown(command.verb()), "is not a command"};
    (this->*verb->second)(command);
  } catch (const BadCommand& bad) {
    events_.error(bad.word, bad.message);
  }
}

void LinkSession::tidy() {
  for (auto at = slots_.begin(); at != slots_.end();) at = at->second->done() ? slots_.erase(at) : std::next(at);
  book_.expire(now_ns());
}

void LinkSession::stop() {
  for (const auto& [id, slot] : slots_) slot->stop();
}

void LinkSession::listen(Command& command) {
  const Address address = command.address("address");
  const PortRange ports = read_ports(command.text_or_none("ports").value_or("0"));
  command.nothing_else();
  if (is_public(address) && !allow_public_) return events_.listen_failed(format_address(address), "PUBLIC_ADDRESS");
  const int port = gate_.listen_on(address, ports.first, ports.last);
  port > 0 ? events_.listening(address, port) : events_.listen_failed(format_address(address), errno_name(-port));
}

void LinkSession::unlisten(Command& command) {
  const Address address = command.address("address");
  command.nothing_else();
  if (!gate_.close_listener(address)) throw BadCommand{"address", "has no listener"};
}

void LinkSession::claim_id(const std::string& id) {
  tidy();
  if (slots_.count(id) > 0 || dials_.has(id)) throw BadCommand{"id", "is in use"};
}

void LinkSession::accept(Command& command) {
  const auto expected = std::make_shared<Expectation>();
  const std::string id = command.id();
  expected->id = wire_id(id);
  expected->key = command.key();
  expected->from = command.time("from");
  expected->until = command.time("until");
  command.nothing_else();
  if (expected->until < expected->from) throw BadCommand{"until", "is before from"};
  tidy();
  if (book_.size() >= kMostExpected) throw BadCommand{"id", "exceeds the limit of pending accepts"};
  expected->deliver = [this, id](std::uint8_t, int fd) {
    // Authenticated and answered, which is all a connect-only dial needs. The answer was sent before the close.
    close(fd);
    events_.accepted(id);
  };
  if (!book_.add(expected)) throw BadCommand{"id", "is in use"};
}

void LinkSession::dial(Command& command) {
  DialJob job;
  job.id = command.id();
  job.key = command.key();
  job.addresses = read_endpoints(command.text("to"));
  job.start = command.time("start");
  job.timeout = command.ms("timeout", 1, 60000);
  command.nothing_else();
  claim_id(job.id);
  if (!dials_.add(std::move(job))) throw BadCommand{"id", "exceeds the limit of queued dials"};
}

SlotPlan LinkSession::slot_plan(Command& command) const {
  SlotPlan plan;
  plan.id = command.id();
  plan.key = command.key();
  plan.role = read_role(command.text("role"));
  plan.mode = read_mode(command.text_or_none("mode").value_or("measure"));
  plan.start = command.time("start");
  plan.length = command.ms("length", kShortestSlotMs, kLongestSlotMs);
  plan.streams = static_cast<int>(command.whole("streams", 1, kMostStreams, 1));
  plan.ping_pause = command.ms("ping_pause", 0, 100, 0);
  plan.cap = static_cast<std::uint64_t>(command.whole("cap", 0, INT64_C(1) << 60, 0));
  if (plan.role == Role::listen) {
    plan.local = command.address("local");
  } else {
    const auto peer = parse_endpoint(command.text("peer"));
    if (!peer) throw BadCommand{"peer", "is not a numeric address with a port"};
    plan.peer = *peer;
    if (const auto local = command.text_or_none("local")) plan.local = command.address("local");
  }
  command.nothing_else();
  return plan;
}

void LinkSession::slot(Command& command) {
  SlotPlan plan = slot_plan(command);
  claim_id(plan.id);
  if (slots_.size() >= kMostSlots) throw BadCommand{"id", "exceeds the limit of 512 slots"};
  if (!allow_public_ &&
      (is_public(plan.role == Role::listen ? *plan.local : plan.peer) || (plan.local && is_public(*plan.local)))) {
    SlotReport report;
    report.outcome = {Status::refused, Stage::connect, "PUBLIC_ADDRESS"};
    return plan.mode == Mode::channel ? events_.channel(plan, report) : events_.slot(plan, report);
  }
  const std::string id = plan.id;
  auto slot = std::make_unique<Slot>(std::move(plan), book_, events_);
  if (!slot->begin()) throw BadCommand{"id", "is in use"};
  slots_[id] = std::move(slot);
}

Channel& LinkSession::channel_of(const std::string& id) {
  const auto found = slots_.find(id);
  Channel* channel = found == slots_.end() ? nullptr : found->second->channel();
  if (!channel) throw BadCommand{"id", "is not an open channel"};
  return *channel;
}

void LinkSession::say(Command& command) {
  const std::string id = command.id();
  const std::string text = read_hex(command.text_or_none("text").value_or(""));
  command.nothing_else();
  if (!channel_of(id).say(text)) throw BadCommand{"text", "cannot be queued: too many messages are waiting"};
}

void LinkSession::hang_up(Command& command) {
  const std::string id = command.id();
  command.nothing_else();
  channel_of(id).hang_up();
}

void LinkSession::cancel(Command& command) {
  const std::string id = command.id();
  command.nothing_else();
  const auto found = slots_.find(id);
  if (found != slots_.end()) {
    found->second->stop();
  } else if (!dials_.cancel(id)) {
    book_.remove(wire_id(id));  // an accept, or something that has just ended
  }
}

}  // namespace gpumark::link
