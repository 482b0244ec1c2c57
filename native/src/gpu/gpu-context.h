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
  /** Opens the device on the calling thread and loads the first image that its driver accepts. @throws GpuError */
  GpuContext(const GpuDriver& driver, const GpuDevice& device);
  ~GpuContext();
  GpuContext(const GpuContext&) = delete;
  GpuContext& operator=(const GpuContext&) = delete;

  /** Makes this device current on the calling thread. */
  void enter() const;
  const GpuDriver& driver() const { return driver_; }
  const DriverTable& call() const { return driver_.call(); }
  const GpuDevice& device() const { return device_; }
  const std::string& image() const { return portable_->image(); }
  /** A kernel of the portable image. @throws GpuError if it has none of this name */
  Handle kernel(const char* name);
  /** Null if the portable image has no kernel of this name. */
  Handle portable_kernel(const char* kernel) { return portable_->find(kernel); }
  /** The matrix kernels of this architecture, loaded on first use; there may be none: see loaded(). */
  GpuModule& matrix_module();
  Handle stream() const { return stream_; }
  Handle context() const { return context_; }
  void check(int code, const char* what) const { driver_.check(code, what); }

  /** Free device memory in bytes. */
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
  /** Waits for all enqueued work. Kernel faults are reported here. @throws GpuError */
  void wait() const { check(call().stream_wait(stream_), "waiting for the device"); }
  /** False once the context is unusable: after a failed kernel, or if the device is lost. Never throws. */
  bool answers() const;
  Handle new_stream() const;
  /**
   * Seconds on the device between the start and the end of the work that `enqueue` puts on the stream: a spinning
   * kernel holds the stream until all of it is enqueued, so that the host's speed does not affect the figure. Repeated
   * if the host was too slow.
   * @throws GpuError
   */
  double timed(const std::function<void()>& enqueue);
  /**
   * False once timed work could not be enqueued behind the spinning kernel: from then on the host's speed affects the
   * figures.
   */
  bool held() const { return held_; }
  /** Tries to hold the stream again, for another kind of work. */
  void hold_again() { held_ = true; }
  /** Number of blocks for `per_multiprocessor` on each multiprocessor. */
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
  /** The driver's context; null if it has none. */
  Handle context_ = nullptr;
  bool opened_ = false;
  Handle stream_ = nullptr;
  Handle begin_ = nullptr, end_ = nullptr;
  std::unique_ptr<GpuModule> portable_, matrix_;
  /** Host memory polled by the spinning kernel: [0] gate, [1] expired. */
  void* gate_ = nullptr;
  DevicePointer gate_address_ = 0;
  bool held_ = true;
};

/** Holds a stream from construction until open(). Opens by itself after some seconds, even if the host process dies. */
class SpinGate {
 public:
  SpinGate(GpuContext& gpu, Handle stream);
  ~SpinGate() { open(); }
  void open();
  /**
   * True if it opened by timeout: the work behind it then ran at the host's speed. Call after waiting for the stream.
   */
  bool expired() const { return words_[1] != 0; }

 private:
  volatile unsigned* words_;
};

}  // namespace gpumark
