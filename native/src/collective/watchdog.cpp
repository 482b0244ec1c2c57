#include "collective/watchdog.h"

#include <chrono>
#include <memory>
#include <unistd.h>

#include "commands.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

constexpr auto kPause = std::chrono::milliseconds(20);
/** ncclCommAbort may hang like any other call. */
constexpr double kAbortSeconds = 3;

}  // namespace

Watchdog::Watchdog(double deadline, Emitter& emitter)
    : emitter_(emitter), deadline_(deadline), thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
  over_ = true;
  thread_.join();
}

void Watchdog::set_stage(const std::string& stage) {
  const std::lock_guard<std::mutex> hold(mutex_);
  stage_ = stage;
}

void Watchdog::watch(std::function<std::string()> fault, std::function<void()> abort) {
  const std::lock_guard<std::mutex> hold(mutex_);
  fault_ = std::move(fault);
  abort_ = std::move(abort);
}

void Watchdog::fail(const Failure& failure, int exit_code) {
  claim_exit_or_wait();
  end(&failure, exit_code);
}

void Watchdog::closing(double seconds, int exit_code) {
  claim_exit_or_wait();
  watch(nullptr, nullptr);
  deadline_ = now_seconds() + seconds;
  closing_code_ = exit_code;
}

/** If the other thread has claimed it, that thread ends the process. */
void Watchdog::claim_exit_or_wait() {
  while (!claim_exit()) pause();
}

void Watchdog::run() {
  for (; !over_; std::this_thread::sleep_for(kPause)) {
    if (closing_code_ >= 0) {
      if (now_seconds() > deadline_) end(nullptr, closing_code_);
      continue;
    }
    if (taken_) continue;
    std::string stage, fault;
    {
      const std::lock_guard<std::mutex> hold(mutex_);
      stage = stage_;
      if (fault_) fault = fault_();
    }
    if (stop_requested()) {
      const Failure failure{
          "interrupted",
          output_lost() ? "the reader of stdout has gone" : "stopped by signal " + std::to_string(stop_signal()),
          "Run it again and let it finish."};
      if (claim_exit()) end(&failure, output_lost() ? kExitOutputLost : 128 + stop_signal());
    } else if (!fault.empty()) {
      const Failure failure{"collective_failed", "while " + stage + ": " + fault,
                            "Look for the node that failed first; NCCL_DEBUG=WARN makes the library log more."};
      if (claim_exit()) end(&failure, kExitDeviceFailed);
    } else if (now_seconds() > deadline_) {
      const Failure failure{"collective_deadline", "the deadline passed while " + stage,
                            "Look for a node that did not join or hangs; NCCL_DEBUG=INFO makes the library log more."};
      if (claim_exit()) end(&failure, kExitDeviceFailed);
    }
  }
}

/** The reason is written first: what follows may hang. */
void Watchdog::end(const Failure* failure, int exit_code) {
  if (failure) emitter_.failure("", *failure);
  abort_within_limit();
  emitter_.summary({exit_code, false, std::nullopt});
  emitter_.flush(kAbortSeconds);
  // Without running destructors: other threads are in calls that do not return.
  _exit(exit_code);
}

void Watchdog::abort_within_limit() {
  const std::lock_guard<std::mutex> hold(mutex_);
  if (!abort_) return;
  const auto done = std::make_shared<std::atomic<bool>>(false);
  std::thread([abort = abort_, done] {
    abort();
    *done = true;
  }).detach();
  for (const double limit = now_seconds() + kAbortSeconds; !*done && now_seconds() < limit;)
    std::this_thread::sleep_for(kPause);
}

}  // namespace gpumark
