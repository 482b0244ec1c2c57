#include "collective/rank-group.h"

#include <cstring>

namespace gpumark {
namespace {

constexpr std::size_t kMaxWords = 64;
constexpr std::size_t kBarrierAt = kMaxWords * sizeof(double);

}  // namespace

LocalRank::LocalRank(const GpuDriver& driver, const GpuDevice& device, int rank_)
    : rank(rank_), gpu(std::make_unique<GpuContext>(driver, device)), begin(*gpu), end(*gpu), words(*gpu, kBarrierAt + 2 * sizeof(float)) {
  words.clear();
  gpu->wait();
}

RankGroup::RankGroup(const GpuDriver& driver, const CollectiveLibrary& library, const std::vector<GpuDevice>& devices, int first_rank, int ranks)
    : library_(library), ranks_(ranks) {
  for (const GpuDevice& device : devices) local_.push_back(std::make_unique<LocalRank>(driver, device, first_rank + static_cast<int>(local_.size())));
}

/** Calls of several devices by one thread wait for each other unless they are in a group. */
template <class Call>
void RankGroup::grouped(const char* symbol, Call call) {
  library_.check(library_.call().group_start(), "ncclGroupStart");
  for (std::size_t i = 0; i < local_.size(); ++i) {
    local_[i]->gpu->enter();
    library_.check(call(*local_[i], i), symbol);
  }
  library_.check(library_.call().group_end(), "ncclGroupEnd");
}

void RankGroup::join(const UniqueId& id) {
  std::vector<Handle> joined(local_.size(), nullptr);
  grouped("ncclCommInitRank", [&](const LocalRank& one, std::size_t i) { return library_.call().join(&joined[i], ranks_, id, one.rank); });
  const std::lock_guard<std::mutex> hold(mutex_);
  communicators_ = std::move(joined);
}

void RankGroup::leave() {
  std::vector<Handle> left;
  {
    const std::lock_guard<std::mutex> hold(mutex_);
    left.swap(communicators_);
  }
  // In a group, as joining: with several devices to a thread, one communicator's end may wait for another's.
  if (left.empty()) return;
  grouped("ncclCommDestroy", [&](const LocalRank&, std::size_t i) { return library_.call().leave(left[i]); });
}

std::vector<Handle> RankGroup::communicators() const {
  const std::lock_guard<std::mutex> hold(mutex_);
  return communicators_;
}

void RankGroup::enqueue(CollectiveKind kind, std::size_t count) {
  const CollectiveTable& call = library_.call();
  const std::vector<Handle> communicators = this->communicators();
  const bool reduces = kind == CollectiveKind::all_reduce;
  grouped(reduces ? "ncclAllReduce" : "ncclBroadcast", [&](const LocalRank& one, std::size_t i) {
    const DevicePointer from = one.input->address(), to = one.output->address();
    return reduces ? call.all_reduce(from, to, count, collective::kFloat32, collective::kSum, communicators[i], one.gpu->stream())
                   : call.broadcast(from, to, count, collective::kFloat32, 0, communicators[i], one.gpu->stream());
  });
}

void RankGroup::enqueue_barrier() {
  const std::vector<Handle> communicators = this->communicators();
  grouped("ncclAllReduce", [&](const LocalRank& one, std::size_t i) {
    const DevicePointer word = one.words.address() + kBarrierAt;
    return library_.call().all_reduce(word, word + sizeof(float), 1, collective::kFloat32, collective::kSum, communicators[i], one.gpu->stream());
  });
}

void RankGroup::wait() const {
  for (const auto& one : local_) {
    one->gpu->enter();
    one->gpu->wait();
  }
}

std::vector<double> RankGroup::combine_words(const std::vector<std::vector<double>>& values, int operation) {
  const std::size_t count = values.front().size();
  if (count > kMaxWords) throw std::length_error("too many numbers to agree on");
  const std::vector<Handle> communicators = this->communicators();
  for (std::size_t i = 0; i < local_.size(); ++i) {
    const LocalRank& one = *local_[i];
    one.gpu->enter();
    one.gpu->check(one.gpu->call().copy_to_device(one.words.address(), values[i].data(), count * sizeof(double), one.gpu->stream()), "copying to the device");
  }
  grouped("ncclAllReduce", [&](const LocalRank& one, std::size_t i) {
    const DevicePointer words = one.words.address();
    return library_.call().all_reduce(words, words, count, collective::kFloat64, operation, communicators[i], one.gpu->stream());
  });
  std::vector<double> combined;
  for (const auto& one : local_) {
    one->gpu->enter();
    const std::vector<double> read = one->words.read<double>(count);
    if (combined.empty()) combined = read;
    if (read != combined) throw std::runtime_error("the ranks of this node were given different numbers to agree on");
  }
  return combined;
}

std::vector<double> RankGroup::agree_on_largest(std::vector<double> values) {
  const std::vector<double> agreed = combine_words(std::vector<std::vector<double>>(local_.size(), values), collective::kMax);
  // What every rank relies on from here must at least be no less than what it said itself.
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(agreed[i] >= values[i])) throw std::runtime_error("the largest of all ranks' numbers came out below this rank's own");
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
