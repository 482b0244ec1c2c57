// Threads that begin each step together, of whom some leave early.
#include <atomic>
#include <thread>
#include <vector>

#include "measure/barrier.h"
#include "unit-tests.h"

using namespace gpumark;

/**
 * Thread i takes part in `steps[i]` steps and leaves. A barrier that waited for threads that have left would never end.
 */
static bool steps_together(const std::vector<int>& steps) {
  Barrier together(static_cast<int>(steps.size()));
  const int most = 64;
  std::vector<std::atomic<int>> begun(most);
  std::atomic<bool> right{true};
  std::vector<std::thread> threads;
  for (const int mine : steps) {
    threads.emplace_back([&, mine] {
      for (int step = 0; step < mine; ++step) {
        ++begun[static_cast<std::size_t>(step)];
        together.arrive();
        // Everyone who takes part in this step has begun it by now.
        int expected = 0;
        for (const int other : steps) expected += other > step;
        if (begun[static_cast<std::size_t>(step)] != expected) right = false;
      }
      together.leave();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return right;
}

void check_barrier() {
  for (int round = 0; round < 200; ++round) {
    check(steps_together({8, 8, 8}) && steps_together({0, 5}) && steps_together({3, 0, 9, 1}) && steps_together({6}),
          "every step begins once all who are still there have come to it");
  }
}
