// Uses once whatever the glibc floor stands on, and says what did not work. Exit 0: all did. Run it on an old system to
// see it hold there.
#include <dlfcn.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "compat/condition-wait.h"

namespace {

using Clock = std::chrono::steady_clock;

int failures = 0;
void expect(bool holds, const char* what) {
  if (!holds) ++failures;
  std::printf("%s: %s\n", holds ? "ok" : "FAILED", what);
}

// ---- constructors and destructors

int constructed = 0, early_calls = 0;
bool early_had_arguments = false;
__attribute__((constructor)) void early(int argc, char** argv, char** environment) {
  ++early_calls;
  early_had_arguments = argc >= 1 && argv[0] && environment;
}
struct Witness {
  Witness() { ++constructed; }
  ~Witness() { std::printf("destroyed %d\n", constructed--); }
} witness;
__attribute__((destructor)) void late() { std::printf("finished\n"); }

// ---- exceptions, also through frames of the C library

int throw_while_sorting(const void*, const void*) { throw std::runtime_error("in a callback"); }

bool caught_through_libc() {
  int numbers[] = {2, 1};
  try {
    std::qsort(numbers, 2, sizeof(int), throw_while_sorting);
  } catch (const std::runtime_error& error) {
    return std::string(error.what()) == "in a callback";
  }
  return false;
}

bool carried_out_of_thread() {
  std::exception_ptr carried;
  std::thread([&] {
    try {
      (void)std::vector<int>(1).at(1);
    } catch (...) {
      carried = std::current_exception();
    }
  }).join();
  try {
    if (carried) std::rethrow_exception(carried);
  } catch (const std::out_of_range&) {
    return true;
  }
  return false;
}

// ---- threads and waits

bool counted_by_threads() {
  constexpr long kThreads = 4, kRounds = 20000;
  long count = 0;
  std::mutex guard;
  const auto shared = std::make_shared<int>(1);
  std::vector<std::thread> threads;
  for (long i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (long round = 0; round < kRounds; ++round) {
        const auto copy = shared;
        const std::lock_guard<std::mutex> lock(guard);
        count += *copy;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return count == kThreads * kRounds && shared.use_count() == 1;
}

bool timed_out_after(std::chrono::milliseconds span) {
  std::mutex guard;
  std::condition_variable condition;
  std::unique_lock<std::mutex> lock(guard);
  const auto begin = Clock::now();
  return !condition.wait_for(lock, span, [] { return false; }) && Clock::now() - begin >= span;
}

long long since_boot(std::chrono::milliseconds later) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>((Clock::now() + later).time_since_epoch()).count();
}

/** Longer than a slice, so that it takes several. */
bool slices_time_out() {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  const long long deadline = since_boot(std::chrono::milliseconds(120));
  const int status = gpumark::wait_in_slices(&condition, &mutex, CLOCK_MONOTONIC, deadline);
  pthread_mutex_unlock(&mutex);
  return status == ETIMEDOUT && since_boot(std::chrono::milliseconds(0)) >= deadline;
}

bool slices_are_woken() {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  bool ready = false;
  pthread_mutex_lock(&mutex);
  std::thread waker([&] {
    pthread_mutex_lock(&mutex);
    ready = true;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  });
  const long long deadline = since_boot(std::chrono::seconds(60));
  int status = 0;
  while (!ready && status == 0) status = gpumark::wait_in_slices(&condition, &mutex, CLOCK_MONOTONIC, deadline);
  pthread_mutex_unlock(&mutex);
  waker.join();
  return ready && status == 0;
}

// ---- loading, files, libm

bool loaded_function_works() {
  void* library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  const auto cosine = library ? reinterpret_cast<double (*)(double)>(dlsym(library, "cos")) : nullptr;
  const bool works = cosine && cosine(0.0) == 1.0;
  return works && dlclose(library) == 0;
}

bool absence_is_explained() {
  const char* reason = dlopen("libgpumark-absent.so.1", RTLD_NOW) ? nullptr : dlerror();
  return reason && std::string(reason).find("libgpumark-absent.so.1") != std::string::npos;
}

bool sizes_agree(const std::filesystem::path& program) {
  std::ifstream file(program, std::ios::binary);
  const std::uintmax_t size = std::filesystem::file_size(program);
  return size > 0 && static_cast<std::uintmax_t>(file.rdbuf()->in_avail()) == size &&
         std::filesystem::is_regular_file(program) && !std::filesystem::exists(program.string() + ".absent") &&
         std::filesystem::is_symlink("/proc/self/exe");
}

bool near(double value, double expected) { return std::fabs(value - expected) <= 1e-15 * expected; }

}  // namespace

int main(int, char** argv) {
  expect(constructed == 1 && early_calls == 1, "constructors ran once before main");
  expect(early_had_arguments, "constructors see the arguments and the environment");
  expect(caught_through_libc(), "an exception passes through the C library");
  expect(carried_out_of_thread(), "an exception leaves a thread");
  expect(counted_by_threads(), "threads count");
  expect(timed_out_after(std::chrono::milliseconds(30)), "a wait ends at its deadline");
  expect(slices_time_out(), "a wait in slices ends at its deadline");
  expect(slices_are_woken(), "a wait in slices is woken");
  expect(loaded_function_works(), "a loaded library's function works");
  expect(absence_is_explained(), "an absent library has a reason");
  expect(sizes_agree(argv[0]), "files have their size and kind");
  const volatile double two = 2, three = 3, four = 4;
  expect(near(std::pow(two, 0.5), 1.4142135623730951) && near(std::exp(two), 7.38905609893065) &&
             near(std::log(two), 0.6931471805599453) && near(std::exp2(three), 8) && near(std::log2(four), 2) &&
             std::hypot(three, four) == 5,
         "libm");
  return failures == 0 ? 0 : 1;
}
