#include "link/link-events.h"

#include <cmath>

namespace gpumark::link {
namespace {

/** Milliseconds of the monotonic clock, to the microsecond. */
std::string milliseconds(Ns ns) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", to_ms(ns));
  return text;
}

void add_outcome(JsonObject& line, const Outcome& outcome, bool with_stage) {
  line.text("status", word_of(outcome.status));
  if (with_stage) outcome.ok() ? line.null("stage") : line.text("stage", word_of(outcome.stage));
  outcome.code.empty() ? line.null("code") : line.text("code", outcome.code);
}

void add_start(JsonObject& line, const SlotReport& report) {
  report.started ? line.literal("started", milliseconds(*report.started)) : line.null("started");
  report.started ? line.number("skew", std::round(to_us(report.skew)) / 1000) : line.null("skew");
  report.connect_time > 0 ? line.number("connect_us", to_us(report.connect_time)) : line.null("connect_us");
}

JsonObject rate_object(const Rate& rate) {
  return JsonObject{}
      .number("gbps", rate.gbps)
      .integer("bytes", static_cast<std::int64_t>(rate.bytes))
      .number("window_ms", rate.window_ms);
}

JsonObject sent_object(const Sent& sent) {
  const TcpCounters& counters = sent.counters;
  JsonObject object;
  object.integer("bytes", static_cast<std::int64_t>(sent.bytes));
  counters.retransmits ? object.integer("retransmits", static_cast<std::int64_t>(*counters.retransmits))
                       : object.null("retransmits");
  counters.segments ? object.integer("segments", static_cast<std::int64_t>(*counters.segments))
                    : object.null("segments");
  return object.number("min_rtt_us", counters.min_rtt_us);
}

JsonObject round_trip_object(const RoundTrips& r) {
  return JsonObject{}
      .number("min", r.min)
      .number("p50", r.p50)
      .number("p99", r.p99)
      .number("max", r.max)
      .integer("samples", r.samples);
}

}  // namespace

void LinkEvents::ready(const std::string& congestion_control) {
  JsonObject line = Emitter::begin("link_ready");
  line.literal("monotonic_ms", milliseconds(now_ns()));
  emitter_.write_line(congestion_control.empty() ? line.null("congestion_control")
                                                 : line.text("congestion_control", congestion_control));
}

void LinkEvents::error(const std::string& word, const std::string& message) {
  JsonObject line = Emitter::begin("error");
  emitter_.write_line(line.null("device_id")
                          .text("code", "bad_command")
                          .text("word", word)
                          .text("message", message)
                          .text("remedy", "See the commands of `gpumark-runner link` in native/src/link/README.md."));
}

void LinkEvents::listening(const Address& address, int port) {
  emitter_.write_line(Emitter::begin("listening").text("address", format_address(address)).integer("port", port));
}

void LinkEvents::listen_failed(const std::string& address, const std::string& code) {
  emitter_.write_line(Emitter::begin("listen_failed").text("address", address).text("code", code));
}

void LinkEvents::accepted(const std::string& id) { emitter_.write_line(Emitter::begin("accepted").text("id", id)); }

void LinkEvents::dialled(const std::string& id, const Outcome& outcome, const std::optional<Address>& address,
                         Ns connect_time) {
  JsonObject line = Emitter::begin("dialled").text("id", id);
  add_outcome(line, outcome, false);
  address ? line.text("address", format_address(*address)) : line.null("address");
  connect_time > 0 ? line.number("connect_us", to_us(connect_time)) : line.null("connect_us");
  emitter_.write_line(line);
}

void LinkEvents::slot(const SlotPlan& plan, const SlotReport& report) {
  JsonObject line =
      Emitter::begin("slot").text("id", plan.id).text("role", plan.role == Role::dial ? "dial" : "listen");
  add_outcome(line, report.outcome, true);
  add_start(line, report);
  report.received ? line.object("received", rate_object(*report.received)) : line.null("received");
  report.sent ? line.object("sent", sent_object(*report.sent)) : line.null("sent");
  report.round_trips ? line.object("rtt_us", round_trip_object(*report.round_trips)) : line.null("rtt_us");
  report.mtu ? line.integer("mtu", *report.mtu) : line.null("mtu");
  report.interface ? line.text("interface", *report.interface) : line.null("interface");
  emitter_.write_line(line);
}

void LinkEvents::channel(const SlotPlan& plan, const SlotReport& report) {
  JsonObject line =
      Emitter::begin("channel").text("id", plan.id).text("role", plan.role == Role::dial ? "dial" : "listen");
  add_outcome(line, report.outcome, true);
  add_start(line, report);
  emitter_.write_line(line);
}

void LinkEvents::heard(const std::string& id, const std::string& hex) {
  emitter_.write_line(Emitter::begin("heard").text("id", id).text("text", hex));
}

void LinkEvents::hung_up(const std::string& id) { emitter_.write_line(Emitter::begin("hung_up").text("id", id)); }

}  // namespace gpumark::link
