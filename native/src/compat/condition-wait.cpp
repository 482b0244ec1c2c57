// pthread_cond_clockwait came with glibc 2.30; libstdc++'s headers call it for every wait with a deadline of the steady
// clock.
#include "condition-wait.h"

#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <ctime>

namespace {

using ClockWait = int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);

constexpr long long kNanoseconds = 1000000000;
/**
 * The old wait's deadline is on the wall clock, which can be set: waiting in slices this short bounds the delay that
 * setting it can cause.
 */
constexpr long long kSliceNanoseconds = 50000000;

long long nanoseconds(const timespec& time) { return time.tv_sec * kNanoseconds + time.tv_nsec; }

long long now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return nanoseconds(time);
}

/** Null on glibc before 2.30. */
ClockWait* system_wait() {
  static ClockWait* const found = reinterpret_cast<ClockWait*>(dlsym(RTLD_DEFAULT, "pthread_cond_clockwait"));
  return found;
}

}  // namespace

namespace gpumark {

int wait_in_slices(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, long long deadline) {
  for (;;) {
    const long long left = deadline - now(clock);
    if (left <= 0) return ETIMEDOUT;
    const long long until = now(CLOCK_REALTIME) + (left < kSliceNanoseconds ? left : kSliceNanoseconds);
    const timespec slice_end{static_cast<time_t>(until / kNanoseconds), static_cast<long>(until % kNanoseconds)};
    const int status = pthread_cond_timedwait(condition, mutex, &slice_end);
    if (status != ETIMEDOUT) return status;
  }
}

}  // namespace gpumark

extern "C" int __wrap_pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                             const timespec* deadline) {
  if (ClockWait* wait = system_wait()) return wait(condition, mutex, clock, deadline);
  return gpumark::wait_in_slices(condition, mutex, clock, nanoseconds(*deadline));
}
