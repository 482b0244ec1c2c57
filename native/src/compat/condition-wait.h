// The fallback wait of condition-wait.cpp for systems without pthread_cond_clockwait, exposed for tests.
#pragma once
#include <pthread.h>

namespace gpumark {

/**
 * pthread_cond_timedwait until `deadline`, nanoseconds of `clock`. @returns 0 when woken, perhaps spuriously;
 * ETIMEDOUT, never before the deadline
 */
int wait_in_slices(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, long long deadline);

}  // namespace gpumark
