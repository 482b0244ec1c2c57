// Capture of a stream's calls into a graph.
#include <utility>

#include "core/machine.h"
#include "core/stream.h"

namespace gpumark::sim {

bool Stream::is_capturing() {
  const std::lock_guard lock(mutex_);
  return capture_.has_value();
}

int Stream::begin_capture(CaptureMode mode) {
  const std::lock_guard lock(mutex_);
  if (kind_ == Kind::null) return kCaptureUnsupported;
  if (capture_) return kInvalidValue;
  capture_.emplace(Capture{.mode = mode, .thread = std::this_thread::get_id(), .operations = {}});
  return kOk;
}

int Stream::end_capture(std::shared_ptr<Graph>* graph) {
  const std::lock_guard lock(mutex_);
  graph->reset();
  if (!capture_) return kCaptureUnmatched;
  if (capture_->mode != CaptureMode::relaxed && capture_->thread != std::this_thread::get_id())
    return kCaptureWrongThread;
  const Capture ended = std::move(*capture_);
  capture_.reset();
  if (ended.invalid) return kCaptureInvalidated;
  *graph = std::make_shared<Graph>(Graph{.device = &device_, .operations = ended.operations});
  return kOk;
}

void Stream::invalidate_capture() {
  const std::lock_guard lock(mutex_);
  if (capture_) capture_->invalid = true;
}

bool Stream::forbids(std::thread::id caller) {
  const std::lock_guard lock(mutex_);
  if (!capture_ || capture_->mode == CaptureMode::relaxed) return false;
  return capture_->mode == CaptureMode::global || capture_->thread == caller;
}

int disturb_captures(Vendor vendor) {
  int code = kOk;
  for (const auto& device : machine(vendor).devices) {
    for (const auto& stream : device->streams()) {
      if (!stream->forbids(std::this_thread::get_id())) continue;
      stream->invalidate_capture();
      code = kCaptureUnsupported;
    }
  }
  return code;
}

}  // namespace gpumark::sim
