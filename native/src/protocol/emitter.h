// Writes events as NDJSON, one write(2) per line, from any thread.
#pragma once
#include <atomic>
#include <mutex>
#include <string>

#include "protocol/events.h"

namespace gpumark {

class Emitter {
 public:
  explicit Emitter(int file_descriptor);
  void device(const Device& device);
  void phase(const std::string& device_id, const std::string& benchmark, const char* state, double expected_seconds, int index,
             int count);
  void sample(const std::string& device_id, const std::string& benchmark, const std::string& metric, double value, int index,
              const Conditions* conditions = nullptr);
  void result(const std::string& device_id, const Result& result);
  void cell(const Cell& cell);
  void telemetry(const std::string& device_id, const Telemetry& telemetry);
  /** An empty device_id is written as null: the failure belongs to no device. */
  void failure(const std::string& device_id, const Failure& failure);
  /** Always the last line. */
  void summary(const Summary& summary);
  /** True once the reader has gone away (write failed): nothing said from now on arrives. */
  bool broken() const { return broken_; }
  /** For commands with events of their own: a line with schema and kind, to be filled and given to write_line, which stamps it. */
  static JsonObject begin(const char* event);
  void write_line(const JsonObject& line);

 private:
  int file_descriptor_;
  double started_at_;
  std::mutex mutex_;
  std::atomic<bool> broken_{false};
};

}  // namespace gpumark
