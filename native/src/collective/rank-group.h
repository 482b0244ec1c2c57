// The ranks of this node in one communicator over the whole job: one rank per device, each driven by its own thread, as
// in a job with a process per device. A single thread would issue the operations one after the other, and small sizes
// would measure that thread.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collective/collective-library.h"
#include "gpu/gpu-memory.h"

namespace gpumark {

enum class CollectiveKind { all_reduce, broadcast };

/** One device as a rank. Members are destroyed in reverse order, the context last. */
struct LocalRank {
  LocalRank(const GpuDriver& driver, const GpuDevice& device, int rank_);
  int rank;
  std::unique_ptr<GpuContext> gpu;
  GpuEvent begin, end;
  /** The values that the ranks agree on, followed by the barrier's one float. */
  GpuMemory words;
  std::unique_ptr<GpuMemory> input, output;
};

class RankGroup {
 public:
  /** Opens the devices; rank first_rank + i is devices[i]. @throws GpuError */
  RankGroup(const GpuDriver& driver, const CollectiveLibrary& library, const std::vector<GpuDevice>& devices,
            int first_rank, int ranks);

  /** Blocks until all ranks of the job have joined, without a timeout of its own: see Watchdog. @throws GpuError */
  void join(const UniqueId& id);
  /** Destroys the communicator, once nothing more is to be sent. */
  void leave();

  int ranks() const { return ranks_; }
  std::vector<std::unique_ptr<LocalRank>>& local() { return local_; }
  /**
   * Runs `work` for all local ranks in parallel, each on a thread that has entered the rank's device. @throws what one
   * of them threw
   */
  void each(const std::function<void(LocalRank&)>& work);
  /**
   * Enqueues one operation over `count` floats from input to output. The root of a broadcast is rank 0. @throws
   * GpuError
   */
  void enqueue(const LocalRank& one, CollectiveKind kind, std::size_t count) const;
  /** Enqueues a barrier: the stream waits there for the streams of all ranks. */
  void enqueue_barrier(const LocalRank& one) const;
  /** The maximum of each value over all ranks, the same on every rank; at most 64 values. @throws GpuError */
  std::vector<double> agree_on_largest(std::vector<double> values);
  /** Number of processes in the job, one per node. @throws GpuError */
  int count_nodes();

  /** The communicator's asynchronous error, such as a lost peer; "" if there is none. Thread-safe. */
  std::string fault() const;
  /**
   * Aborts all operations in progress, here and, once they notice, on the other nodes. Thread-safe; may itself hang.
   */
  void abort();

 private:
  /** All-reduces each rank's words in place; `values` holds one list per local rank. */
  std::vector<double> combine_words(const std::vector<std::vector<double>>& values, int operation);
  std::vector<Handle> communicators() const;
  Handle communicator(const LocalRank& one) const;
  std::size_t index_of(const LocalRank& one) const { return static_cast<std::size_t>(one.rank - local_.front()->rank); }

  const CollectiveLibrary& library_;
  int ranks_;
  std::vector<std::unique_ptr<LocalRank>> local_;
  mutable std::mutex mutex_;
  std::vector<Handle> communicators_;
};

}  // namespace gpumark
