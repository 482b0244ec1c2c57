// A stream: a queue and the thread that works it off, in order. Streams of one device work side by side.
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

namespace gpumark::sim {

class Device;

/** One recording of an event: done when the stream got there. */
class Mark {
 public:
  void set();
  void wait();
  bool is_set();
  std::chrono::steady_clock::time_point time();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::chrono::steady_clock::time_point> time_;
};

struct Operation {
  /**
   * Runs on the stream's thread; an error code ends all work of the device. May run again and again: graphs hold it.
   */
  std::function<int()> work;
  /** Draws power, and is drawn out on a slow device. */
  bool loads = true;
  /** Runs after a failure too: others wait for it. */
  bool always = false;
};

/** What a stream's calls left behind while it was captured. */
struct Graph {
  Device* device = nullptr;
  std::vector<Operation> operations;
};

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  /** The null stream waits for all `blocking` ones, and they for it. */
  enum class Kind { null, blocking, independent };
  /** Numbers of CUstreamCaptureMode and hipStreamCaptureMode. */
  enum class CaptureMode { global = 0, thread_local_ = 1, relaxed = 2 };

  static std::shared_ptr<Stream> start(Device& device, Kind kind);

  Device& device() const { return device_; }
  Kind kind() const { return kind_; }
  /** To the queue, or to the graph under capture. @returns an error code */
  int submit(Operation operation);
  /** Until the queue is empty. */
  void wait();
  /** Work that was submitted is still done; nothing more is taken. */
  void close();

  bool is_capturing();
  int begin_capture(CaptureMode mode);
  /** @param graph null after an error */
  int end_capture(std::shared_ptr<Graph>* graph);
  void invalidate_capture();
  /**
   * True when a capture that is under way forbids `caller` the calls that act on more than a stream, such as
   * allocating.
   */
  bool forbids(std::thread::id caller);

  /** On the calling thread, with all that comes with it: power, slowness, failure. */
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
 * What a call that acts on more than one stream must ask first: 0, or 900, and then the captures it disturbs are
 * spoiled.
 */
int disturb_captures(Vendor vendor);

}  // namespace gpumark::sim
