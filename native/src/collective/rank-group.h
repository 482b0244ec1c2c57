// The ranks of this node in one communicator over the whole job: one rank per device, each driven by a thread of its
// own, as in a job with a process per device. One thread for all would hand out the operations one after the other, and
// small sizes would be its pace.
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

/** One device as a rank. Members are given back in reverse order, the context last. */
struct LocalRank {
  LocalRank(const GpuDriver& driver, const GpuDevice& device, int rank_);
  int rank;
  std::unique_ptr<GpuContext> gpu;
  GpuEvent begin, end;
  /** Small numbers that the ranks agree on, and behind them the barrier's one float. */
  GpuMemory words;
  std::unique_ptr<GpuMemory> input, output;
};

class RankGroup {
 public:
  /** Opens the devices; rank first_rank + i is devices[i]. @throws GpuError */
  RankGroup(const GpuDriver& driver, const CollectiveLibrary& library, const std::vector<GpuDevice>& devices,
            int first_rank, int ranks);

  /** Blocks until all ranks of the job have come, however long that is: see Watchdog. @throws GpuError */
  void join(const UniqueId& id);
  /** Gives the communicator back, once nothing more is to be sent. */
  void leave();

  int ranks() const { return ranks_; }
  std::vector<std::unique_ptr<LocalRank>>& local() { return local_; }
  /**
   * Once per local rank and at the same time, on a thread that has entered its device. @throws what one of them threw
   */
  void each(const std::function<void(LocalRank&)>& work);
  /**
   * Enqueues one operation over `count` floats from input to output. Broadcast sends what rank 0 has. @throws GpuError
   */
  void enqueue(const LocalRank& one, CollectiveKind kind, std::size_t count) const;
  /** Enqueues what the stream does not pass before all ranks' streams are there. */
  void enqueue_barrier(const LocalRank& one) const;
  /** The largest of each value over all ranks, the same numbers everywhere; at most 64 of them. @throws GpuError */
  std::vector<double> agree_on_largest(std::vector<double> values);
  /** Processes like this one in the job: its nodes. @throws GpuError */
  int count_nodes();

  /** What went wrong in the background, such as a peer that is gone; "" while all is well. For any thread. */
  std::string fault() const;
  /** Ends all operations under way, here and, as they notice, on the other nodes. For any thread; may itself hang. */
  void abort();

 private:
  /** All-reduces each rank's words in place; `values` has one list per local rank. */
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
