#include "core/block-run.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <csetjmp>
#include <deque>
#include <memory>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>

#include "block.h"

extern thread_local gpumark::device::u32 gpumark_sim_block, gpumark_sim_thread;

namespace gpumark::sim {
namespace {

constexpr std::size_t kStackBytes = std::size_t{256} << 10;
/** If every thread has polled this often on average without any progress, they are deadlocked. */
constexpr unsigned kIdleRounds = 64;

struct Fiber {
  std::jmp_buf where;
  void* stack = nullptr;
  bool started = false;
  unsigned rank = 0;
  unsigned thread = 0;
};

struct Barrier {
  unsigned arrived = 0;
  std::vector<Fiber*> waiting;
};

/** Threads that execute one instruction together. */
struct Meeting {
  void (*act)(void* const*) = nullptr;
  unsigned arrived = 0;
  std::vector<void*> own;
  std::vector<Fiber*> waiting;
};

struct Block {
  std::vector<unsigned char> shared;
  Barrier barriers[16];
  /** meetings[i]: groups of 2^i adjacent threads, at most 128. */
  std::vector<Meeting> meetings[8];
};

class Cluster {
 public:
  bool run(const ClusterLaunch& launch);
  void barrier(unsigned id, unsigned threads) { wait_at(block().barriers[id % 16], threads); }
  void cluster_barrier() { wait_at(all_, static_cast<unsigned>(fibers_)); }
  void together(unsigned lanes, void* own, void (*act)(void* const*));
  void pause();
  void progress() { idle_ = 0; }
  void* shared(unsigned rank);
  unsigned rank() const { return current_->rank; }
  unsigned long long run_number() const { return number_; }
  void finish();
  const ClusterLaunch& launch() const { return *launch_; }

 private:
  void prepare();
  Block& block() { return blocks_[current_->rank]; }
  void wait_at(Barrier& barrier, unsigned threads);
  /** Suspends the calling thread and continues with the next one that is ready. */
  void leave();
  [[noreturn]] void next();
  [[noreturn]] void give_up(const char* why);
  void make_ready(std::vector<Fiber*>& waiting);

  const ClusterLaunch* launch_ = nullptr;
  std::vector<std::unique_ptr<Fiber>> pool_;
  std::size_t fibers_ = 0, finished_ = 0, idle_ = 0;
  std::vector<Block> blocks_;
  Barrier all_;
  std::deque<Fiber*> ready_;
  Fiber* current_ = nullptr;
  std::jmp_buf caller_;
  unsigned long long number_ = 0;
};

/** Created when this thread runs its first block. A pointer, for cheap access: block.h is called very often. */
thread_local Cluster* cluster = nullptr;

void begin() {
  cluster->launch().kernel(cluster->launch().arguments);
  cluster->finish();
}

void Cluster::prepare() {
  fibers_ = std::size_t{launch_->blocks} * launch_->threads;
  while (pool_.size() < fibers_) {
    auto fiber = std::make_unique<Fiber>();
    fiber->stack =
        mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    pool_.push_back(std::move(fiber));
  }
  ready_.clear();
  for (std::size_t i = 0; i < fibers_; ++i) {
    Fiber& fiber = *pool_[i];
    fiber.started = false;
    fiber.rank = static_cast<unsigned>(i) / launch_->threads;
    fiber.thread = static_cast<unsigned>(i) % launch_->threads;
    ready_.push_back(&fiber);
  }
  blocks_.resize(launch_->blocks);
  for (Block& block : blocks_) {
    // 1024 bytes more for alignment. Until it is written, memory is NaN in every format.
    block.shared.assign(launch_->shared_bytes + 1024, 0xff);
    for (Barrier& barrier : block.barriers) barrier = {};
    for (unsigned i = 0; i < 8; ++i) block.meetings[i].assign((launch_->threads >> i) + 1, {});
  }
  all_ = {};
  finished_ = idle_ = 0;
}

bool Cluster::run(const ClusterLaunch& launch) {
  static std::atomic<unsigned long long> runs{0};
  number_ = ++runs;
  launch_ = &launch;
  prepare();
  const int came_back = _setjmp(caller_);
  if (came_back == 0) next();
  return came_back == 1;
}

void Cluster::next() {
  if (ready_.empty()) {
    if (finished_ == fibers_) _longjmp(caller_, 1);
    give_up("threads wait at barriers that other threads never reach");
  }
  current_ = ready_.front();
  ready_.pop_front();
  gpumark_sim_block = launch_->first_block + current_->rank;
  gpumark_sim_thread = current_->thread;
  if (current_->started) _longjmp(current_->where, 1);
  current_->started = true;
  ucontext_t fresh;
  getcontext(&fresh);
  fresh.uc_stack.ss_sp = current_->stack;
  fresh.uc_stack.ss_size = kStackBytes;
  fresh.uc_link = nullptr;
  makecontext(&fresh, begin, 0);
  setcontext(&fresh);
  give_up("a thread could not be started");
}

void Cluster::leave() {
  if (_setjmp(current_->where) == 0) next();
}

void Cluster::give_up(const char* why) {
  std::fprintf(stderr, "simulated driver: block %u hangs: %s (%zu of %zu threads have ended)\n", launch_->first_block,
               why, finished_, fibers_);
  _longjmp(caller_, 2);
}

void Cluster::finish() {
  ++finished_;
  idle_ = 0;
  next();
}

void Cluster::make_ready(std::vector<Fiber*>& waiting) {
  for (Fiber* fiber : waiting) ready_.push_back(fiber);
  waiting.clear();
  idle_ = 0;
}

void Cluster::wait_at(Barrier& barrier, unsigned threads) {
  if (++barrier.arrived >= threads) {
    barrier.arrived = 0;
    return make_ready(barrier.waiting);
  }
  barrier.waiting.push_back(current_);
  leave();
}

void Cluster::together(unsigned lanes, void* own, void (*act)(void* const*)) {
  Meeting& meeting = block().meetings[__builtin_ctz(lanes)][current_->thread / lanes];
  if (meeting.arrived && meeting.act != act) give_up("threads of a warp are at different instructions");
  meeting.own.resize(lanes);
  meeting.act = act;
  meeting.own[current_->thread % lanes] = own;
  if (++meeting.arrived < lanes) {
    meeting.waiting.push_back(current_);
    return leave();
  }
  meeting.arrived = 0;
  act(meeting.own.data());
  make_ready(meeting.waiting);
}

void Cluster::pause() {
  if (++idle_ > kIdleRounds * fibers_) give_up("threads poll for something that never happens");
  ready_.push_back(current_);
  leave();
}

void* Cluster::shared(unsigned rank) {
  const auto begin = reinterpret_cast<std::uintptr_t>(blocks_.at(rank).shared.data());
  return reinterpret_cast<void*>((begin + 1023) / 1024 * 1024);
}

}  // namespace

bool run_cluster(const ClusterLaunch& launch) {
  if (!cluster) cluster = new Cluster;
  return cluster->run(launch);
}

}  // namespace gpumark::sim

using gpumark::sim::cluster;

extern "C" {
void* gpumark_sim_shared(unsigned rank) { return cluster->shared(rank); }
unsigned gpumark_sim_cluster_rank() { return cluster->rank(); }
void gpumark_sim_barrier(unsigned id, unsigned threads) { cluster->barrier(id, threads); }
void gpumark_sim_cluster_barrier() { cluster->cluster_barrier(); }
void gpumark_sim_together(unsigned lanes, void* own, void (*act)(void* const*)) { cluster->together(lanes, own, act); }
void gpumark_sim_pause() { cluster->pause(); }
void gpumark_sim_progress() { cluster->progress(); }
unsigned long long gpumark_sim_run() { return cluster->run_number(); }
}
