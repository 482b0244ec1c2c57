#include "core/stream.h"

#include <utility>

#include "core/device.h"
#include "core/pause.h"

namespace gpumark::sim {

void Mark::set() {
  const std::lock_guard lock(mutex_);
  time_ = std::chrono::steady_clock::now();
  if (load_model().is_active()) moment_ = load_model().now();
  changed_.notify_all();
}

void Mark::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return time_.has_value(); });
}

bool Mark::is_set() {
  const std::lock_guard lock(mutex_);
  return time_.has_value();
}

std::chrono::steady_clock::time_point Mark::time() {
  const std::lock_guard lock(mutex_);
  return time_.value();
}

double Mark::seconds_between(Mark& begin, Mark& end) {
  if (!load_model().is_active()) return std::chrono::duration<double>(end.time() - begin.time()).count();
  load_model().asked(begin.moment_, end.moment_);
  return end.moment_.seconds - begin.moment_.seconds;
}

std::shared_ptr<Stream> Stream::start(Device& device, Kind kind) {
  std::shared_ptr<Stream> stream(new Stream(device, kind));
  // Detached: a process may end while its kernels run. The thread's reference keeps the stream until it is closed.
  std::thread([stream] { stream->work(); }).detach();
  return stream;
}

int Stream::submit(Operation operation) {
  {
    const std::lock_guard lock(mutex_);
    if (capture_) {
      if (capture_->invalid) return kCaptureInvalidated;
      capture_->operations.push_back(std::move(operation));
      return kOk;
    }
  }
  if (const int code = wait_for_others()) return code;
  enqueue(std::move(operation));
  return kOk;
}

int Stream::wait_for_others() {
  if (kind_ == Kind::independent) return kOk;
  for (const auto& other : device_.streams()) {
    if (other.get() == this || other->kind_ == Kind::independent || (kind_ != Kind::null && other->kind_ != Kind::null))
      continue;
    if (other->is_capturing()) return kCaptureImplicit;
    if (auto mark = other->mark())
      enqueue({.work =
                   [mark] {
                     mark->wait();
                     return 0;
                   },
               .loads = false,
               .always = true});
  }
  return kOk;
}

std::shared_ptr<Mark> Stream::mark() {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.empty() && !working_) return nullptr;
  }
  const auto mark = std::make_shared<Mark>();
  enqueue({.work =
               [mark] {
                 mark->set();
                 return 0;
               },
           .loads = false,
           .always = true});
  return mark;
}

void Stream::enqueue(Operation operation) {
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(operation));
  changed_.notify_all();
}

void Stream::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty() && !working_; });
}

void Stream::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void Stream::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !queue_.empty() || closed_; });
    if (queue_.empty()) return;
    const Operation operation = std::move(queue_.front());
    queue_.pop_front();
    working_ = true;
    lock.unlock();
    execute(operation);
    lock.lock();
    working_ = false;
    if (queue_.empty()) changed_.notify_all();
  }
}

void Stream::execute(const Operation& operation) {
  if (device_.failure() && !operation.always) return;
  if (!operation.loads) {
    if (const int code = operation.work()) device_.fail(code);
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  device_.power.work_begins();
  const int code = operation.work();
  if (device_.is_slow()) pause_for(std::chrono::steady_clock::now() - begin);
  device_.power.work_ends();
  if (code) device_.fail(code);
}

}  // namespace gpumark::sim
