// Streams and events.
#include "calls/face.h"

namespace gpumark::sim {
namespace {

/** CU_STREAM_NON_BLOCKING and CU_EVENT_DISABLE_TIMING; HIP's values are the same. */
constexpr unsigned kNonBlocking = 1;
constexpr unsigned kDisableTiming = 2;

/** The recording that a question is about, null if there is none yet; or the reason why there can be no answer. */
int find_mark(Handle handle, std::shared_ptr<Mark>* mark) {
  const auto event = handles<Event>().find(handle);
  if (!event) return kInvalidHandle;
  if (const int code = event->device->failure()) return code;
  const std::lock_guard lock(event->mutex);
  if (event->captured) return kCapturedEvent;
  *mark = event->mark;
  return kOk;
}

/** 0, or the reason why this event has no time. */
int check_timed(const std::shared_ptr<Event>& event, std::shared_ptr<Mark>* mark) {
  if (!event || !event->timed) return kInvalidHandle;
  if (const int code = event->device->failure()) return code;
  const std::lock_guard lock(event->mutex);
  if (event->captured) return kCapturedEvent;
  if (!event->mark) return kInvalidHandle;
  if (!event->mark->is_set()) return kNotReady;
  *mark = event->mark;
  return kOk;
}

}  // namespace

int call_stream_create(Handle* handle, unsigned flags) {
  return with_device([&](Device& device) {
    if (!handle || flags > kNonBlocking) return kInvalidValue;
    const auto stream =
        Stream::start(device, flags == kNonBlocking ? Stream::Kind::independent : Stream::Kind::blocking);
    device.add_stream(stream);
    *handle = handles<Stream>().add(stream);
    return kOk;
  });
}

int call_stream_destroy(Handle handle) {
  if (const int code = driver_state()) return code;
  const auto stream = handle ? handles<Stream>().remove(handle) : nullptr;
  if (!stream) return kInvalidHandle;
  stream->close();
  return stream->device().failure();
}

int call_stream_wait(Handle handle) {
  return with_stream(handle, [&](Stream& stream) {
    if (stream.is_capturing()) {
      stream.invalidate_capture();
      return static_cast<int>(kCaptureUnsupported);
    }
    stream.wait();
    return stream.device().failure();
  });
}

int call_stream_wait_event(Handle handle, Handle event_handle, unsigned) {
  return with_stream(handle, [&](Stream& stream) {
    const auto event = handles<Event>().find(event_handle);
    if (!event) return static_cast<int>(kInvalidHandle);
    std::shared_ptr<Mark> mark;
    {
      const std::lock_guard lock(event->mutex);
      // Within its own capture the order is implied; dependencies into or out of a capture are not simulated.
      if (event->captured) return static_cast<int>(stream.is_capturing() ? kOk : kCapturedEvent);
      mark = event->mark;
    }
    if (stream.is_capturing()) return static_cast<int>(kCaptureIsolation);
    if (!mark) return static_cast<int>(kOk);
    return stream.submit({.work =
                              [mark] {
                                mark->wait();
                                return 0;
                              },
                          .loads = false,
                          .always = true});
  });
}

int call_event_create(Handle* handle, unsigned flags) {
  return with_device([&](Device& device) {
    if (!handle) return kInvalidValue;
    const auto event = std::make_shared<Event>();
    event->device = &device;
    event->timed = (flags & kDisableTiming) == 0;
    *handle = handles<Event>().add(event);
    return kOk;
  });
}

int call_event_destroy(Handle handle) {
  if (const int code = driver_state()) return code;
  const auto event = handles<Event>().remove(handle);
  return event ? event->device->failure() : static_cast<int>(kInvalidHandle);
}

int call_event_record(Handle event_handle, Handle handle) {
  return with_stream(handle, [&](Stream& stream) {
    const auto event = handles<Event>().find(event_handle);
    if (!event || event->device != &stream.device()) return static_cast<int>(kInvalidHandle);
    const auto mark = std::make_shared<Mark>();
    const bool capturing = stream.is_capturing();
    {
      const std::lock_guard lock(event->mutex);
      event->captured = capturing;
      event->mark = capturing ? nullptr : mark;
    }
    if (capturing) return static_cast<int>(kOk);
    return stream.submit({.work =
                              [mark] {
                                mark->set();
                                return 0;
                              },
                          .loads = false,
                          .always = true});
  });
}

int call_event_query(Handle handle) {
  if (const int code = driver_state()) return code;
  std::shared_ptr<Mark> mark;
  if (const int code = find_mark(handle, &mark)) return code;
  return !mark || mark->is_set() ? kOk : kNotReady;
}

int call_event_wait(Handle handle) {
  if (const int code = driver_state()) return code;
  std::shared_ptr<Mark> mark;
  if (const int code = find_mark(handle, &mark)) return code;
  if (mark) mark->wait();
  // A failure before the event is reported here.
  return find_mark(handle, &mark);
}

int call_event_elapsed(float* milliseconds, Handle begin_handle, Handle end_handle) {
  if (const int code = driver_state()) return code;
  const auto begin = handles<Event>().find(begin_handle);
  const auto end = handles<Event>().find(end_handle);
  std::shared_ptr<Mark> first, last;
  if (!milliseconds) return kInvalidValue;
  if (const int code = check_timed(begin, &first)) return code;
  if (const int code = check_timed(end, &last)) return code;
  if (begin->device != end->device) return kInvalidHandle;
  *milliseconds = static_cast<float>(Mark::seconds_between(*first, *last) * 1e3);
  return kOk;
}

}  // namespace gpumark::sim
