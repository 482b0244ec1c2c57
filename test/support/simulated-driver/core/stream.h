// A stream: a queue and a thread that processes it in order. Streams of one device run concurrently.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/errors.h"
#include "core/load-model.h"

namespace gpumark::sim {

class Device;

/** One recording of an event; set when the stream reaches it. */
class Mark {
 public:
  void set();
  void wait();
  bool is_set();
  std::chrono::steady_clock::time_point time();
  /** Seconds between two that are set. */
  static double seconds_between(Mark& begin, Mark& end);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::chrono::steady_clock::time_point> time_;
  /** On the clock of the load model, if it runs. */
  LoadModel::Moment moment_;
};

struct Operation {
  /**
   * Runs on the stream's thread; an error code ends all work on the device. May run repeatedly, as part of a graph.
   */
  std::function<int()> work;
  /** Draws power, and takes longer on a slow device. */
  bool loads = true;
  /** Runs even after a failure, because others wait for it. */
  bool always = false;
};

/** The operations that were captured on a stream. */
struct Graph {
  Device* device = nullptr;
  std::vector<Operation> operations;
};

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  /** The null stream waits for all `blocking` streams, and they wait for it. */
  enum class Kind { null, blocking, independent };
  /** Values of CUstreamCaptureMode and hipStreamCaptureMode. */
  enum class CaptureMode { global = 0, thread_local_ = 1, relaxed = 2 };

  static std::shared_ptr<Stream> start(Device& device, Kind kind);

  Device& device() const { return device_; }
  Kind kind() const { return kind_; }
  /** Adds to the queue, or to the graph during a capture. @returns an error code */
  int submit(Operation operation);
  /** Waits until the queue is empty. */
  void wait();
  /** Submitted work is still completed, then the thread ends. */
  void close();

  bool is_capturing();
  int begin_capture(CaptureMode mode);
  /** @param graph null after an error */
  int end_capture(std::shared_ptr<Graph>* graph);
  void invalidate_capture();
  /**
   * Whether a capture in progress forbids `caller` to make calls that affect more than one stream, such as allocations.
   */
  bool forbids(std::thread::id caller);

  /** Runs the operation on the calling thread and accounts for power, the fault "slow" and failures. */
  void execute(const Operation& operation);

 private:
  struct Capture {
    CaptureMode mode;
    std::thread::id thread;
    std::vector<Operation> operations;
    bool invalid = false;
  };

  Stream(Device& device, Kind kind) : device_(device), kind_(kind) {}
  void work();
  void enqueue(Operation operation);
  std::shared_ptr<Mark> mark();
  int wait_for_others();

  Device& device_;
  const Kind kind_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Operation> queue_;
  bool working_ = false;
  bool closed_ = false;
  std::optional<Capture> capture_;
};

/**
 * Must be called before any operation that affects more than one stream. @returns 0, or 900 after invalidating the
 * captures that it disturbs
 */
int disturb_captures(Vendor vendor);

}  // namespace gpumark::sim
