// Emits events as NDJSON, from any thread. A separate thread writes them, so that measuring never waits for the reader.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "protocol/events.h"

namespace gpumark {

class Emitter {
 public:
  explicit Emitter(int file_descriptor);
  /** Waits until everything is written, or the reader is lost. */
  ~Emitter();
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;
  void device(const Device& device);
  void phase(const std::string& device_id, const std::string& benchmark, const char* state, double expected_seconds,
             int index, int count, bool is_turn = false);
  void sample(const std::string& device_id, const std::string& benchmark, const std::string& metric, double value,
              int index, const Conditions* conditions = nullptr);
  void result(const std::string& device_id, const Result& result);
  void cell(const Cell& cell);
  /** The run goes on, though it has no figure yet. */
  void progress();
  void telemetry(const std::string& device_id, const Telemetry& telemetry);
  /** An empty device_id is written as null: the failure does not belong to a device. */
  void failure(const std::string& device_id, const Failure& failure);
  /** Always the last line. */
  void summary(const Summary& summary);
  /** Waits until everything emitted is written. @returns false if the reader was lost before */
  bool finish();
  /**
   * For commands with events of their own: a line with schema and event name, to be filled in and passed to write_line,
   * which adds the time.
   */
  static JsonObject begin(const char* event);
  void write_line(const JsonObject& line);
  /** Emits a line written by another runner, with its time replaced by ours. */
  void relay(const std::string& line);
  /**
   * Waits until everything emitted is written, the reader is lost, or `seconds` have passed: for code that ends the
   * process without cleaning up.
   */
  void flush(double seconds);

 private:
  /** Queues a line without its line feed; `may_drop`: it can be dropped if the reader is too far behind. */
  void say(const std::string& object, bool may_drop);
  /** Call with mutex_ held. */
  void queue_line(const std::string& object);
  void write_queue();

  int file_descriptor_;
  double started_at_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> queue_;
  std::size_t queued_bytes_ = 0;
  std::int64_t dropped_ = 0;
  bool closing_ = false;
  std::atomic<bool> broken_{false};
  std::thread writer_;
};

}  // namespace gpumark
