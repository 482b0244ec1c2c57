#include "measure/progress.h"

#include <atomic>
#include <limits>
#include <utility>

#include "measure/time.h"

namespace gpumark {
namespace {

constexpr double kEverySeconds = 5;
constexpr double kNever = std::numeric_limits<double>::infinity();

std::function<void()> say_progress;
std::atomic<double> next_at{kNever};

}  // namespace

ProgressReports::ProgressReports(std::function<void()> say) {
  say_progress = std::move(say);
  next_at = now_seconds() + kEverySeconds;
}

ProgressReports::~ProgressReports() { next_at = kNever; }

void note_progress() {
  const double now = now_seconds();
  double due = next_at.load(std::memory_order_acquire);
  // Of several threads that find it due, one says it.
  if (now >= due && next_at.compare_exchange_strong(due, now + kEverySeconds)) say_progress();
}

}  // namespace gpumark
