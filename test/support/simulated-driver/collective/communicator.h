// One rank of a communicator. All data goes through rank 0, in parts: slow, but simple.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/device.h"

namespace gpumark::sim::collective {

enum class Kind : std::uint32_t { all_reduce, broadcast };
enum class Element : std::uint32_t { fp32, fp64 };
enum class Reduction : std::uint32_t { sum, max };

struct Work {
  Kind kind;
  Element element;
  Reduction reduction;
  std::uint64_t count;
  const unsigned char* from;
  unsigned char* to;
  std::size_t bytes() const { return count * (element == Element::fp32 ? 4 : 8); }
  /** Neither a barrier nor an agreement: faults and the speed limit apply. */
  bool is_data() const { return element == Element::fp32 && count > 1; }
};

class Communicator {
 public:
  Communicator(int rank_, int ranks_, std::vector<int> sockets)
      : rank(rank_), ranks(ranks_), sockets_(std::move(sockets)) {}
  ~Communicator();

  const int rank, ranks;
  /** The device of the first stream with which it was used; all other streams must be on the same device. */
  std::atomic<Device*> device{nullptr};

  /** Runs on the stream's thread. After a failure it returns only on abort(), like a kernel that waits for a peer. */
  void run(const Work& work);
  /** The library's code of an asynchronous error, or 0. */
  int error() const { return error_; }
  void abort();

 private:
  bool exchange(const Work& work);
  bool as_hub(const Work& work, std::size_t at, std::size_t bytes);
  bool as_leaf(const Work& work, std::size_t at, std::size_t bytes);
  void strike_before(const Work& work);
  void strike_after(const Work& work) const;
  void hang();

  std::vector<int> sockets_;
  std::uint64_t sequence_ = 0, data_works_ = 0;
  std::atomic<int> error_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool aborted_ = false;
};

}  // namespace gpumark::sim::collective
