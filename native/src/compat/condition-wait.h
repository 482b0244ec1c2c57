// The wait of condition-wait.cpp for systems without pthread_cond_clockwait, by itself for tests.
#pragma once
#include <pthread.h>

namespace gpumark {

/**
 * pthread_cond_timedwait until `deadline`, nanoseconds of `clock`: 0 when woken, perhaps for nothing, ETIMEDOUT not
 * before the deadline.
 */
int wait_in_slices(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, long long deadline);

}  // namespace gpumark
