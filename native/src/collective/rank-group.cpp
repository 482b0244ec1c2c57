#include "collective/rank-group.h"

#include <cstring>
#include <exception>
#include <thread>

namespace gpumark {
namespace {

constexpr std::size_t kMaxWords = 64;
constexpr std::size_t kBarrierAt = kMaxWords * sizeof(double);

}  // namespace

LocalRank::LocalRank(const GpuDriver& driver, const GpuDevice& device, int rank_)
    : rank(rank_),
      gpu(std::make_unique<GpuContext>(driver, device)),
      begin(*gpu),
      end(*gpu),
      words(*gpu, kBarrierAt + 2 * sizeof(float)) {
  words.clear();
  gpu->wait();
}

RankGroup::RankGroup(const GpuDriver& driver, const CollectiveLibrary& library, const std::vector<GpuDevice>& devices,
                     int first_rank, int ranks)
    : library_(library), ranks_(ranks) {
  for (const GpuDevice& device : devices)
    local_.push_back(std::make_unique<LocalRank>(driver, device, first_rank + static_cast<int>(local_.size())));
}

void RankGroup::each(const std::function<void(LocalRank&)>& work) {
  std::vector<std::thread> threads;
  std::vector<std::exception_ptr> failures(local_.size());
  for (std::size_t i = 0; i < local_.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        local_[i]->gpu->enter();
        work(*local_[i]);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void RankGroup::join(const UniqueId& id) {
  std::vector<Handle> joined(local_.size(), nullptr);
  each([&](const LocalRank& one) {
    library_.check(library_.call().join(&joined[index_of(one)], ranks_, id, one.rank), "ncclCommInitRank");
  });
  const std::lock_guard<std::mutex> hold(mutex_);
  communicators_ = std::move(joined);
}

void RankGroup::leave() {
  std::vector<Handle> left;
  {
    const std::lock_guard<std::mutex> hold(mutex_);
    left.swap(communicators_);
  }
  // All at the same time, as when joining: destroying one communicator may wait for another's.
  if (left.empty()) return;
  each([&](const LocalRank& one) { library_.check(library_.call().leave(left[index_of(one)]), "ncclCommDestroy"); });
}

std::vector<Handle> RankGroup::communicators() const {
  const std::lock_guard<std::mutex> hold(mutex_);
  return communicators_;
}

Handle RankGroup::communicator(const LocalRank& one) const {
  const std::lock_guard<std::mutex> hold(mutex_);
  return communicators_.at(index_of(one));
}

void RankGroup::enqueue(const LocalRank& one, CollectiveKind kind, std::size_t count) const {
  const CollectiveTable& call = library_.call();
  const DevicePointer from = one.input->address(), to = one.output->address();
  if (kind == CollectiveKind::all_reduce) {
    library_.check(
        call.all_reduce(from, to, count, collective::kFloat32, collective::kSum, communicator(one), one.gpu->stream()),
        "ncclAllReduce");
  } else {
    library_.check(call.broadcast(from, to, count, collective::kFloat32, 0, communicator(one), one.gpu->stream()),
                   "ncclBroadcast");
  }
}

void RankGroup::enqueue_barrier(const LocalRank& one) const {
  const DevicePointer word = one.words.address() + kBarrierAt;
  library_.check(library_.call().all_reduce(word, word + sizeof(float), 1, collective::kFloat32, collective::kSum,
                                            communicator(one), one.gpu->stream()),
                 "ncclAllReduce");
}

std::vector<double> RankGroup::combine_words(const std::vector<std::vector<double>>& values, int operation) {
  const std::size_t count = values.front().size();
  if (count > kMaxWords) throw std::length_error("too many numbers to agree on");
  std::vector<std::vector<double>> read(local_.size());
  each([&](const LocalRank& one) {
    const std::size_t i = index_of(one);
    const DevicePointer words = one.words.address();
    one.gpu->check(one.gpu->call().copy_to_device(words, values[i].data(), count * sizeof(double), one.gpu->stream()),
                   "copying to the device");
    library_.check(library_.call().all_reduce(words, words, count, collective::kFloat64, operation, communicator(one),
                                              one.gpu->stream()),
                   "ncclAllReduce");
    read[i] = one.words.read<double>(count);
  });
  for (const std::vector<double>& one : read) {
    if (one != read.front())
      throw std::runtime_error("the ranks of this node were given different numbers to agree on");
  }
  return read.front();
}

std::vector<double> RankGroup::agree_on_largest(std::vector<double> values) {
  const std::vector<double> agreed =
      combine_words(std::vector<std::vector<double>>(local_.size(), values), collective::kMax);
  // Every rank relies on these values from here on: a maximum below the rank's own value is proof of a fault.
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(agreed[i] >= values[i]))
      throw std::runtime_error("the largest of all ranks' numbers came out below this rank's own");
  }
  return agreed;
}

int RankGroup::count_nodes() {
  std::vector<std::vector<double>> values(local_.size(), {0});
  values.front() = {1};
  return static_cast<int>(combine_words(values, collective::kSum).front());
}

std::string RankGroup::fault() const {
  if (!library_.call().async_error) return "";
  const std::lock_guard<std::mutex> hold(mutex_);
  for (const Handle communicator : communicators_) {
    int result = 0;
    if (library_.call().async_error(communicator, &result) == 0 && result != 0 && result != collective::kInProgress) {
      return library_.explain(result) + " (" + std::to_string(result) + ")";
    }
  }
  return "";
}

void RankGroup::abort() {
  if (!library_.call().abort) return;
  for (const Handle communicator : communicators()) library_.call().abort(communicator);
}

}  // namespace gpumark
