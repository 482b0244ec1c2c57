// One opened GPU: its context, kernels, streams and memory, for one thread at a time.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "gpu/gpu-device.h"
#include "gpu/gpu-module.h"
#include "kernels.h"
#include "sensors/sensor-log.h"

namespace gpumark {

class GpuContext {
 public:
  /** Opens the device on the calling thread and loads the first image that its driver takes. @throws GpuError */
  GpuContext(const GpuDriver& driver, const GpuDevice& device);
  ~GpuContext();
  GpuContext(const GpuContext&) = delete;
  GpuContext& operator=(const GpuContext&) = delete;

  /** Makes this device the calling thread's. */
  void enter() const;
  const GpuDriver& driver() const { return driver_; }
  const DriverTable& call() const { return driver_.call(); }
  const GpuDevice& device() const { return device_; }
  const std::string& image() const { return portable_->image(); }
  /** A kernel of the portable image. @throws GpuError if it has none of this name */
  Handle kernel(const char* name);
  /** Null if the portable image has no kernel of this name. */
  Handle portable_kernel(const char* kernel) { return portable_->find(kernel); }
  /** The matrix kernels of this architecture, loaded when first asked for; there may be none: see loaded(). */
  GpuModule& matrix_module();
  Handle stream() const { return stream_; }
  Handle context() const { return context_; }
  void check(int code, const char* what) const { driver_.check(code, what); }

  /** Bytes that could be allocated now. */
  std::size_t free_bytes() const;
  /** Enqueues a kernel of kBlockThreads threads per block. @throws GpuError */
  template <class Args>
  void launch(const char* kernel, unsigned blocks, const Args& args) {
    launch_on(stream_, kernel, blocks, args);
  }
  template <class Args>
  void launch_on(Handle stream, const char* kernel, unsigned blocks, const Args& args) {
    launch_function(stream, this->kernel(kernel), {blocks, device::kBlockThreads, 0}, args, kernel);
  }
  template <class Args>
  void launch_function(Handle stream, Handle function, const Launch& launch, const Args& args, const char* name) const {
    Args copy = args;
    void* arguments[] = {&copy};
    check(call().launch(function, launch.blocks, 1, 1, launch.threads, 1, 1, launch.shared_bytes, stream, arguments,
                        nullptr),
          name);
  }
  /** Waits for everything enqueued. Faults of kernels come out here. */
  void wait() const { check(call().stream_wait(stream_), "waiting for the device"); }
  /** False once the context is past use: after a failed kernel, or when the device is gone. Never throws. */
  bool answers() const;
  Handle new_stream() const;
  /**
   * Seconds on the device between the beginning and the end of what `enqueue` puts on the stream: a spinning kernel
   * holds the stream until all of it is enqueued, so that the host's pace does not enter the figure. Taken again if
   * the host was too slow for that.
   * @throws GpuError
   */
  double timed(const std::function<void()>& enqueue);
  /**
   * False once a timed stretch could not be enqueued behind the spinning kernel: since then the host's pace is part of
   * the figures.
   */
  bool held() const { return held_; }
  /** Another kind of work may be enqueued as it should. */
  void hold_again() { held_ = true; }
  /** Keeps every multiprocessor supplied with blocks. */
  unsigned blocks(unsigned per_multiprocessor) const {
    return static_cast<unsigned>(device_.multiprocessors) * per_multiprocessor;
  }

 private:
  friend class SpinGate;
  struct Unopened {};
  GpuContext(const GpuDriver& driver, const GpuDevice& device, Unopened) : driver_(driver), device_(device) {}
  void load_portable();
  void enqueue_between_events(const std::function<void()>& enqueue);
  double elapsed_seconds() const;

  const GpuDriver& driver_;
  GpuDevice device_;
  /** The driver's, if it has such a thing. */
  Handle context_ = nullptr;
  bool opened_ = false;
  Handle stream_ = nullptr;
  Handle begin_ = nullptr, end_ = nullptr;
  std::unique_ptr<GpuModule> portable_, matrix_;
  /** Host memory that the spinning kernel looks at: [0] gate, [1] expired. */
  void* gate_ = nullptr;
  DevicePointer gate_address_ = 0;
  bool held_ = true;
};

/**
 * Holds a stream from construction until open(). It opens by itself after some seconds, whatever happens to the host.
 */
class SpinGate {
 public:
  SpinGate(GpuContext& gpu, Handle stream);
  ~SpinGate() { open(); }
  void open();
  /**
   * True when it was the clock that opened it: what the stream did after that ran at the host's pace. Call after
   * waiting.
   */
  bool expired() const { return words_[1] != 0; }

 private:
  volatile unsigned* words_;
};

}  // namespace gpumark
