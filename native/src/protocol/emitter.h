// Says events as NDJSON, from any thread. A thread of its own writes them, so that measuring never waits for a
// reader.
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
  /** Waits until all is written, or nobody reads any more. */
  ~Emitter();
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;
  void device(const Device& device);
  void phase(const std::string& device_id, const std::string& benchmark, const char* state, double expected_seconds,
             int index, int count);
  void sample(const std::string& device_id, const std::string& benchmark, const std::string& metric, double value,
              int index, const Conditions* conditions = nullptr);
  void result(const std::string& device_id, const Result& result);
  void cell(const Cell& cell);
  void telemetry(const std::string& device_id, const Telemetry& telemetry);
  /** An empty device_id is written as null: the failure belongs to no device. */
  void failure(const std::string& device_id, const Failure& failure);
  /** Always the last line. */
  void summary(const Summary& summary);
  /** Waits until all that was said is written. @returns false if the reader went away before */
  bool finish();
  /**
   * For commands with events of their own: a line with schema and kind, to be filled and given to write_line, which
   * stamps it.
   */
  static JsonObject begin(const char* event);
  void write_line(const JsonObject& line);
  /** A line that another runner wrote, with our time instead of its own. */
  void relay(const std::string& line);
  /**
   * Until all that was said is written, or nobody reads any more, or `seconds` have passed: for the code that ends the
   * process without cleaning up.
   */
  void flush(double seconds);

 private:
  /** Queues a line without its end; `may_drop` if a reader that is so far behind can do without it. */
  void say(const std::string& object, bool may_drop);
  /** With mutex_ held. */
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
