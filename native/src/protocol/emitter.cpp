#include "protocol/emitter.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <unistd.h>

#include "measure/stop.h"
#include "measure/time.h"
#include "registry/benchmarks.h"

namespace gpumark {
namespace {

/** Beyond this backlog a slow reader loses samples and telemetry; the statistics of the results still include them. */
constexpr std::size_t kMostQueuedBytes = std::size_t{64} << 20;

}  // namespace

JsonObject statistics_object(const Statistics& s) {
  return JsonObject{}
      .integer("n", s.n)
      .number("min", s.min)
      .number("max", s.max)
      .number("median", s.median)
      .number("p5", s.p5)
      .number("p95", s.p95)
      .number("cv", s.cv);
}

Emitter::Emitter(int file_descriptor) : file_descriptor_(file_descriptor), started_at_(now_seconds()) {
  // Signals are handled on the main thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  writer_ = std::thread([this] { write_queue(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Emitter::~Emitter() {
  {
    const std::lock_guard<std::mutex> hold(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  writer_.join();
}

JsonObject Emitter::begin(const char* event) { return JsonObject{}.text("schema", kProtocol).text("event", event); }

void Emitter::device(const Device& d) {
  JsonObject line = begin("device");
  line.text("backend", d.backend).text("vendor", d.vendor).text("status", d.status).text("detail", d.detail);
  line.text("device_id", d.device_id);
  d.pci_id ? line.text("pci_id", *d.pci_id) : line.null("pci_id");
  line.text("name", d.name).number("memory_bytes", d.memory_bytes).boolean("simulated", d.simulated);
  JsonObject attributes = d.attributes;
  if (d.image) d.image->empty() ? attributes.null("image") : attributes.text("image", *d.image);
  write_line(line.object("attributes", attributes));
}

void Emitter::phase(const std::string& device_id, const std::string& benchmark, const char* state,
                    double expected_seconds, int index, int count, bool is_turn) {
  JsonObject line = begin("phase");
  line.text("device_id", device_id).text("benchmark", benchmark).text("state", state);
  line.number("expected_seconds", expected_seconds).integer("index", index).integer("count", count);
  if (is_turn) line.boolean("turn", true);
  write_line(line);
}

void Emitter::sample(const std::string& device_id, const std::string& benchmark, const std::string& metric,
                     double value, int index, const Conditions* conditions) {
  JsonObject line = begin("sample");
  line.text("device_id", device_id).text("benchmark", benchmark).text("metric", metric);
  line.number("value", value).text("unit", unit_of(metric)).integer("index", index);
  if (conditions) {
    line.number("clock_mhz", conditions->clock_mhz);
    conditions->throttle ? line.texts("throttle", *conditions->throttle) : line.null("throttle");
  }
  say(line.str(), true);
}

void Emitter::result(const std::string& device_id, const Result& r) {
  JsonObject line = begin("result");
  line.text("device_id", device_id).text("benchmark", r.benchmark).text("metric", r.metric).number("value", r.value);
  line.text("unit", unit_of(r.metric));
  r.value ? line.null("reason") : line.text("reason", r.reason);
  r.stats ? line.object("stats", statistics_object(*r.stats)) : line.null("stats");
  r.verified ? line.boolean("verified", *r.verified) : line.null("verified");
  JsonObject details = r.details;
  if (!r.value) details.text("absence", r.absence == Absence::hardware ? "hardware" : "failed");
  write_line(line.text("engine", r.engine).object("details", details));
}

void Emitter::cell(const Cell& c) {
  JsonObject line = begin("cell");
  line.text("source_device_id", c.source)
      .text("target_device_id", c.target)
      .text("connection_type", c.connection)
      .boolean("peer_access", c.peer_access);
  line.number("simplex_gbs", c.simplex_gbs).number("duplex_gbs", c.duplex_gbs);
  c.simplex_gbs ? line.null("reason") : line.text("reason", c.reason);
  c.stats ? line.object("stats", statistics_object(*c.stats)) : line.null("stats");
  c.duplex_stats ? line.object("duplex_stats", statistics_object(*c.duplex_stats)) : line.null("duplex_stats");
  c.verified ? line.boolean("verified", *c.verified) : line.null("verified");
  write_line(line.object("details", c.details));
}

void Emitter::progress() { say(begin("progress").str(), true); }

void Emitter::telemetry(const std::string& device_id, const Telemetry& t) {
  JsonObject line = begin("telemetry");
  line.text("device_id", device_id)
      .number("power_watts", t.power_watts)
      .number("temperature_celsius", t.temperature_celsius)
      .number("clock_mhz", t.clock_mhz);
  line.number("memory_temperature_celsius", t.memory_temperature_celsius)
      .number("memory_clock_mhz", t.memory_clock_mhz);
  say((t.throttle ? line.texts("throttle", *t.throttle) : line.null("throttle")).str(), true);
}

void Emitter::failure(const std::string& device_id, const Failure& f) {
  JsonObject line = begin("error");
  device_id.empty() ? line.null("device_id") : line.text("device_id", device_id);
  write_line(line.text("code", f.code).text("message", f.message).text("remedy", f.remedy));
}

void Emitter::summary(const Summary& s) {
  JsonObject line = begin("summary");
  line.integer("exit_code", s.exit_code)
      .number("seconds", now_seconds() - started_at_)
      .boolean("contended", s.contended)
      .number("contention_ratio", s.contention_ratio);
  const std::lock_guard<std::mutex> hold(mutex_);
  if (dropped_ > 0) line.integer("dropped_lines", dropped_);
  queue_line(line.str());
}

void Emitter::write_line(const JsonObject& line) { say(line.str(), false); }

void Emitter::relay(const std::string& line) {
  const std::size_t time = line.rfind(",\"t_ms\":");
  say(time == std::string::npos ? line : line.substr(0, time) + "}",
      line.find("\"event\":\"sample\"") != std::string::npos ||
          line.find("\"event\":\"telemetry\"") != std::string::npos);
}

void Emitter::say(const std::string& object, bool may_drop) {
  const std::lock_guard<std::mutex> hold(mutex_);
  if (may_drop && queued_bytes_ > kMostQueuedBytes) {
    ++dropped_;
    return;
  }
  queue_line(object);
}

/** Stamped when the line is queued: with several threads, times would otherwise not always increase. */
void Emitter::queue_line(const std::string& object) {
  if (broken_) return;
  char time[32];
  std::snprintf(time, sizeof time, ",\"t_ms\":%.1f}\n", (now_seconds() - started_at_) * 1e3);
  queue_.push_back(object.substr(0, object.size() - 1) + time);
  queued_bytes_ += queue_.back().size();
  changed_.notify_all();
}

void Emitter::flush(double seconds) {
  std::unique_lock<std::mutex> hold(mutex_);
  changed_.wait_for(hold, std::chrono::duration<double>(seconds), [this] { return queued_bytes_ == 0 || broken_; });
}

bool Emitter::finish() {
  std::unique_lock<std::mutex> hold(mutex_);
  changed_.wait(hold, [this] { return queued_bytes_ == 0 || broken_; });
  return !broken_;
}

void Emitter::write_queue() {
  std::unique_lock<std::mutex> hold(mutex_);
  for (;;) {
    changed_.wait(hold, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::string text = std::move(queue_.front());
    queue_.pop_front();
    hold.unlock();
    for (std::size_t done = 0; done < text.size() && !broken_;) {
      const ssize_t written = write(file_descriptor_, text.data() + done, text.size() - done);
      if (written > 0) {
        done += static_cast<std::size_t>(written);
      } else if (errno != EINTR) {
        broken_ = true;
        lose_output();
      }
    }
    hold.lock();
    queued_bytes_ -= text.size();
    if (broken_) queue_.clear(), queued_bytes_ = 0;
    changed_.notify_all();
  }
}

}  // namespace gpumark
