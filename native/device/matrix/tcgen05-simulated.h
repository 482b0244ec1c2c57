// tcgen05 for the simulated driver, after the PTX manual: tensor memory, matrix and instruction descriptors, commits,
// loads. A multiplication is carried out at once, when somebody waits in vain or in between; what follows it in its
// thread's order stays behind it. The sums here are fp32 in the order of k, hardware's are of its own order.
#pragma once
#include <deque>
#include <map>
#include <memory>

#include "swizzled-tile-simulated.h"

namespace gpumark::simulated {

using device::kTensorColumns;
using device::kTensorLoad;
using device::kTensorRows;
using device::kTensorTileN;

struct TensorMemory;
/** What one instruction starts: a multiplication, a copy of scales, a commit; `act` carries it out. */
struct TensorWork {
  void (*act)(TensorMemory& memory, u32 rank, const TensorWork& work);
  u32 sums;
  u64 a, b;
  MatrixInput input;
  float sign;
  bool adds;
  u32 barrier, blocks;
  /** Of block-scaled ones (tcgen05-simulated-scaled.h). */
  u32 instruction, scales_a, scales_b;
};

/** What a block has: 0xff in all of it at first, a NaN. */
struct TensorMemory {
  u64 run = 0;
  bool taken = false;
  float cells[kTensorRows][kTensorColumns];
  /** In the order in which the one thread started it. */
  std::deque<TensorWork> waiting;
  u32 thread = ~0u;
};

inline std::map<u32, std::unique_ptr<TensorMemory>>& tensor_memories() {
  static thread_local std::map<u32, std::unique_ptr<TensorMemory>> memories;
  return memories;
}
inline TensorMemory& tensor_memory(u32 rank) {
  auto& found = tensor_memories()[rank];
  if (!found || found->run != gpumark_sim_run()) {
    found = std::make_unique<TensorMemory>();
    found->run = gpumark_sim_run();
    std::memset(found->cells, 0xff, sizeof found->cells);
  }
  return *found;
}

/** All columns are taken at once, so they begin with the first. */
constexpr u32 kTensorBegin = 0;

inline void take_tensor_memory(u32 to) {
  gpumark_sim_together(32, &to, [](void* const* all) {
    TensorMemory& memory = tensor_memory(gpumark_sim_cluster_rank());
    if (memory.taken) return forbid("tensor memory is taken twice");
    memory.taken = true;
    std::memcpy(at_address(gpumark_sim_cluster_rank(), *static_cast<const u32*>(all[0])), &kTensorBegin, 4);
  });
}
inline void give_tensor_memory(u32 from) {
  gpumark_sim_together(32, &from, [](void* const* all) {
    TensorMemory& memory = tensor_memory(gpumark_sim_cluster_rank());
    if (!memory.taken || *static_cast<const u32*>(all[0]) != kTensorBegin)
      return forbid("tensor memory is given back that was not taken");
    if (!memory.waiting.empty()) return forbid("tensor memory is given back while it is in use");
    memory.taken = false;
  });
}

inline u32 shared_word(u32 address) {
  u32 word;
  std::memcpy(&word, at_address(gpumark_sim_cluster_rank(), address), 4);
  return word;
}

inline std::vector<float> read_tensor_tile(u32 rank, u64 descriptor, MatrixInput input, u32 rows) {
  if (descriptor >> 61 != 2 || (descriptor >> 46 & 7) != 1)
    forbid("a matrix descriptor that is not Blackwell's, or without the 128-byte swizzle: not simulated");
  if (descriptor >> 49 & 7) forbid("a matrix that begins off its border of 1024 bytes: not simulated");
  return read_swizzled_tile(rank, static_cast<u32>(descriptor & 0x3fff) << 4,
                            static_cast<u32>(descriptor >> 32 & 0x3fff) << 4, input, rows);
}

inline void multiply(TensorMemory& memory, u32 rank, const TensorWork& work) {
  const std::vector<float> a = read_tensor_tile(rank, work.a, work.input, kTensorRows),
                           b = read_tensor_tile(rank, work.b, work.input, kTensorTileN);
  for (u32 row = 0; row < kTensorRows; ++row) {
    float* sums = &memory.cells[row][work.sums];
    if (!work.adds) std::memset(sums, 0, kTensorTileN * sizeof(float));
    for (u32 k = 0; k < a.size() / kTensorRows; ++k) {
      const float factor = work.sign * a[k * kTensorRows + row];
      for (u32 i = 0; i < kTensorTileN; ++i) sums[i] += factor * b[k * kTensorTileN + i];
    }
  }
}

inline void arrive(TensorMemory&, u32, const TensorWork& work) {
  for (u32 block = 0; block < 16; ++block) {
    if (work.blocks >> block & 1) barrier_arrive(block, work.barrier, 0);
  }
}

inline void carry_first_out(u32 rank) {
  TensorMemory& memory = tensor_memory(rank);
  const TensorWork work = memory.waiting.front();
  memory.waiting.pop_front();
  work.act(memory, rank, work);
  gpumark_sim_progress();
}

inline void carry_tensor_work_on() {
  for (auto& [rank, memory] : tensor_memories()) {
    if (memory->run == gpumark_sim_run() && !memory->waiting.empty() && coin()) carry_first_out(rank);
  }
}

inline void add_work(const TensorWork& work) {
  const u32 rank = gpumark_sim_cluster_rank();
  TensorMemory& memory = tensor_memory(rank);
  if (!memory.taken) return forbid("tensor memory is used that was not taken");
  // Commits are about the work of their own thread.
  if (memory.thread != ~0u && memory.thread != gpumark_sim_thread) return forbid("two threads multiply: not simulated");
  memory.thread = gpumark_sim_thread;
  memory.waiting.push_back(work);
  carry_other_work_on = carry_tensor_work_on;
  while (!memory.waiting.empty() && carries_out_now(Begun::multiplication)) carry_first_out(rank);
}

/** `kind` of the instruction: 0 f16, 1 tf32, 2 f8f6f4. The instruction descriptor says which of its types. */
inline void tensor_multiply(u32 sums, u64 a, u64 b, u32 instruction, u32 kind, u32 adds) {
  const u32 type = instruction >> 7 & 7, rows = (instruction >> 24 & 31) * 16, columns = (instruction >> 17 & 63) * 8;
  if ((instruction >> 4 & 3) != 1 || type != (instruction >> 10 & 7) || rows != kTensorRows || columns != kTensorTileN)
    return forbid("an instruction descriptor that is not simulated");
  if (instruction & ~(3u << 4 | 63u << 7 | 1u << 13 | 63u << 17 | 31u << 24))
    return forbid("an instruction descriptor with bits that are not simulated");
  if (kind == 0 ? type > 1 : kind == 1 ? type != 2 : type != 0)
    return forbid("a type that this kind of instruction does not have, or that is not simulated");
  if (sums >> 16 || sums + kTensorTileN > kTensorColumns) return forbid("sums outside tensor memory");
  const MatrixInput input = kind == 1   ? MatrixInput::tf32
                            : kind == 2 ? MatrixInput::e4m3
                            : type == 1 ? MatrixInput::bf16
                                        : MatrixInput::fp16;
  add_work({multiply, sums, a, b, input, instruction >> 13 & 1 ? -1.0f : 1.0f, adds != 0, 0, 0, instruction, 0, 0});
}

inline void arrive_when_multiplied(u32 blocks, u32 barrier) {
  add_work({arrive, 0, 0, 0, MatrixInput::fp16, 0, false, barrier, blocks, 0, 0, 0});
}

struct SumsLoad {
  u32 from;
  u32* sum;
};

/** The registers are NaN until waited for; what is loaded is what is there by then. */
inline void load_sums(u32 from, u32 (&sum)[kTensorLoad]) {
  for (u32& word : sum) word = 0x7fffffff;
  const u32 warp = gpumark_sim_thread / 32 % 4;
  if (from >> 16 != 32 * warp || (from & 0xffff) + kTensorLoad > kTensorColumns)
    return forbid("a warp loads sums that are not its own");
  sum[0] = from;
}
inline void wait_for_sums(u32 (&sum)[kTensorLoad]) {
  SumsLoad own = {sum[0], sum};
  gpumark_sim_together(32, &own, [](void* const* all) {
    for (u32 lane = 0; lane < 32; ++lane) {
      const auto& load = *static_cast<const SumsLoad*>(all[lane]);
      std::memcpy(load.sum,
                  &tensor_memory(gpumark_sim_cluster_rank()).cells[(load.from >> 16) + lane][load.from & 0xffff],
                  kTensorLoad * 4);
    }
  });
}

}  // namespace gpumark::simulated
