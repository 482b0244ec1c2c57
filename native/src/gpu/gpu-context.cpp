#include "gpu/gpu-context.h"

namespace gpumark {
namespace {

constexpr unsigned kNonBlocking = 1;
constexpr unsigned kPortableMapped = 3;
/** Enqueuing never takes this long; a host process that died must not leave a spinning device behind. */
constexpr double kSpinSeconds = 2;

}  // namespace

// Delegates first: once the other constructor has returned, the destructor runs if this one throws.
GpuContext::GpuContext(const GpuDriver& driver, const GpuDevice& device) : GpuContext(driver, device, Unopened{}) {
  context_ = driver.open(device_);
  opened_ = true;
  enter();
  load_portable();
  stream_ = new_stream();
  check(call().event_create(&begin_, 0), "creating an event");
  check(call().event_create(&end_, 0), "creating an event");
  check(call().allocate_host(&gate_, 64, kPortableMapped), "pinning host memory");
  check(call().host_address(&gate_address_, gate_, 0), "mapping host memory");
}

/** On a lost device all of these calls fail, which is ignored: the caller already knows. */
GpuContext::~GpuContext() {
  if (opened_) driver_.enter(device_, context_);
  if (gate_) call().release_host(gate_);
  if (end_) call().event_destroy(end_);
  if (begin_) call().event_destroy(begin_);
  if (stream_) call().stream_destroy(stream_);
  matrix_.reset();
  portable_.reset();
  if (opened_) driver_.close(device_, context_);
}

void GpuContext::enter() const { check(driver_.enter(device_, context_), "entering the device"); }

void GpuContext::load_portable() {
  portable_ = std::make_unique<GpuModule>(driver_, device_.architecture, ImageSet::portable);
  if (!portable_->loaded()) {
    const int code = portable_->code();
    throw GpuError("loading an image for " + device_.architecture + " (" + portable_->refused() + ")", code,
                   driver_.error_name(code));
  }
  // Look up all kernels now: loading one at its first launch would wait for the spinning kernel.
#define GPUMARK_LOOK_UP(name, Args) kernel(#name);
  GPUMARK_KERNELS(GPUMARK_LOOK_UP)
#undef GPUMARK_LOOK_UP
}

GpuModule& GpuContext::matrix_module() {
  if (!matrix_) matrix_ = std::make_unique<GpuModule>(driver_, device_.architecture, ImageSet::matrix);
  return *matrix_;
}

Handle GpuContext::new_stream() const {
  Handle stream = nullptr;
  check(call().stream_create(&stream, kNonBlocking), "creating a stream");
  return stream;
}

bool GpuContext::answers() const {
  DevicePointer memory = 0;
  const int entered = driver_.enter(device_, context_);
  if (entered != 0 || call().stream_wait(stream_) != 0 || call().allocate(&memory, 4096) != 0) return false;
  call().release(memory);
  return true;
}

std::size_t GpuContext::free_bytes() const {
  std::size_t free = 0, total = 0;
  check(call().memory_info(&free, &total), "asking for free memory");
  return free;
}

Handle GpuContext::kernel(const char* name) {
  const Handle found = portable_->find(name);
  if (!found) throw GpuError(name, gpu_code::kNotFound, "not in the image");
  return found;
}

double GpuContext::timed(const std::function<void()>& enqueue) {
  if (held_) {
    SpinGate gate(*this, stream_);
    enqueue_between_events(enqueue);
    gate.open();
    wait();
    if (!gate.expired()) return elapsed_seconds();
    // Some drivers do not return from enqueuing a copy until it has run, which never happens behind a closed gate.
    held_ = false;
  }
  enqueue_between_events(enqueue);
  wait();
  return elapsed_seconds();
}

void GpuContext::enqueue_between_events(const std::function<void()>& enqueue) {
  check(call().event_record(begin_, stream_), "recording an event");
  enqueue();
  check(call().event_record(end_, stream_), "recording an event");
}

double GpuContext::elapsed_seconds() const {
  float milliseconds = 0;
  check(call().event_elapsed(&milliseconds, begin_, end_), "reading the time");
  return static_cast<double>(milliseconds) * 1e-3;
}

SpinGate::SpinGate(GpuContext& gpu, Handle stream) : words_(static_cast<volatile unsigned*>(gpu.gate_)) {
  words_[0] = 0;
  words_[1] = 0;
  __sync_synchronize();
  const auto* gate = reinterpret_cast<const device::u32*>(gpu.gate_address_);
  gpu.launch_on(stream, "gpumark_spin", 1,
                device::SpinArgs{gate, const_cast<device::u32*>(gate) + 1,
                                 static_cast<device::u64>(kSpinSeconds * gpu.device().timer_hz)});
}

void SpinGate::open() {
  __sync_synchronize();
  words_[0] = 1;
  __sync_synchronize();
}

}  // namespace gpumark
