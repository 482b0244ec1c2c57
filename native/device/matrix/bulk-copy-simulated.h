// Barriers in shared memory and copies by tensor map as the PTX manual describes them (mbarrier, cp.async.bulk.tensor,
// tensor swizzling modes), for the simulated driver. What the hardware does in its own time is done at once, at the
// last moment or in between, in turn from cluster to cluster: a kernel that reads too early, and one that overwrites
// what is still read, both come out wrong.
#pragma once
#include <cstdio>
#include <cstring>
#include <vector>

#include "../block.h"
#include "../number-formats.h"
#include "../random-words.h"
#include "tensor-map-simulated.h"

namespace gpumark::simulated {

using device::u32;
using device::u64;

/** Hopper keeps the first KiB of every block's window for itself. */
constexpr u32 kWindowBegin = 1024;
constexpr u32 kWindowEnd = kWindowBegin + (227u << 10);

inline u32 window_address(const void* pointer) {
  const auto* base = static_cast<const unsigned char*>(gpumark_sim_shared(gpumark_sim_cluster_rank()));
  return kWindowBegin + static_cast<u32>(static_cast<const unsigned char*>(pointer) - base);
}
inline unsigned char* at_address(u32 rank, u32 address) {
  return static_cast<unsigned char*>(gpumark_sim_shared(rank)) + (address - kWindowBegin);
}

/**
 * A use that the manual forbids: said once, and from then on no barrier of this cluster opens, so that the launch
 * fails.
 */
struct Misuse {
  u64 run = 0;
  bool found = false;
};
inline thread_local Misuse misuse;
inline void forbid(const char* what) {
  if (misuse.run == gpumark_sim_run() && misuse.found) return;
  misuse = {gpumark_sim_run(), true};
  std::fprintf(stderr, "simulated driver: block %u, thread %u: %s\n", gpumark_sim_block, gpumark_sim_thread, what);
}
inline bool forbidden() { return misuse.found && misuse.run == gpumark_sim_run(); }

/** One bit per event, different in every run of a cluster. */
inline thread_local u64 coin_count = 0;
inline bool coin() { return random_word(0x636f696e, ++coin_count) >> 63; }
/** Whoever waits in vain is answered late: others get far in the meantime. */
inline bool patience_over() { return random_word(0x636f696e, ++coin_count) % 256 == 0; }

/** The 64 bits of a barrier: where hardware keeps them too, so that what overwrites them breaks it. */
struct Barrier {
  u64 parity : 1, live : 1, missing : 20, arrivals : 20, awaited : 22;
};
static_assert(sizeof(Barrier) == 8);
/** A signed number of 22 bits: bytes may come before they are announced. */
constexpr u64 kAwaitedMask = (1u << 22) - 1;

inline Barrier* barrier_at(u32 rank, u32 address) {
  if (address % 8 || address < kWindowBegin || address + 8 > kWindowEnd)
    return forbid("a barrier lies outside shared memory or off its border of 8 bytes"), nullptr;
  auto* barrier = reinterpret_cast<Barrier*>(at_address(rank, address));
  if (!barrier->live || barrier->arrivals == 0 || barrier->arrivals == 0xfffff)
    return forbid("this is no barrier, or none any more"), nullptr;
  return barrier;
}

inline void barrier_begin(u32 address, u32 arrivals) {
  if (address % 8 || arrivals == 0 || arrivals >= 0xfffff)
    return forbid("a barrier begins with a wrong address or count");
  const Barrier barrier = {0, 1, arrivals, arrivals, 0};
  std::memcpy(at_address(gpumark_sim_cluster_rank(), address), &barrier, sizeof barrier);
}

inline void end_phase_if_over(Barrier& barrier) {
  if (barrier.missing || barrier.awaited) return;
  barrier.parity ^= 1;
  barrier.missing = barrier.arrivals;
  gpumark_sim_progress();
}

inline void barrier_arrive(u32 rank, u32 address, u32 bytes) {
  Barrier* barrier = barrier_at(rank, address);
  if (!barrier) return;
  if (barrier->missing == 0) return forbid("more arrivals at a barrier than it counts");
  barrier->awaited = (barrier->awaited + bytes) & kAwaitedMask;
  barrier->missing = barrier->missing - 1;
  end_phase_if_over(*barrier);
}

inline void bytes_came(u32 rank, u32 address, u32 bytes) {
  Barrier* barrier = barrier_at(rank, address);
  if (!barrier) return;
  barrier->awaited = (barrier->awaited - bytes) & kAwaitedMask;
  end_phase_if_over(*barrier);
}

/**
 * Whether what was begun is carried out now. Nine clusters after each other have all pairs of paces, of copies and of
 * multiplications.
 */
enum class Begun { copy, multiplication };
inline bool carries_out_now(Begun begun) {
  const u64 run = gpumark_sim_run(), pace = (begun == Begun::copy ? run : run / 3) % 3;
  return pace == 0 || (pace == 1 && coin());
}

/** By a map, or of so many `bytes` in a row. */
struct Copy {
  MapContents map;
  u32 to, barrier, x, y, blocks;
  const void* from = nullptr;
  u32 bytes = 0;
};
/** What is on its way in the cluster that runs. */
struct CopiesUnderWay {
  u64 run = 0;
  std::vector<Copy> copies;
};
inline thread_local CopiesUnderWay under_way;

/**
 * Rounded to 10 bits of mantissa, ties to even: what a map of type tf32 does to fp32. NVIDIA does not say which way
 * ties go.
 */
inline void round_to_tf32(unsigned char* element) {
  u32 bits;
  std::memcpy(&bits, element, 4);
  bits = (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu;
  std::memcpy(element, &bits, 4);
}

/**
 * Bits 4-6 of the address are changed by bits 7-9: 16-byte pieces change places within 128 bytes, by the row's number
 * within 8 rows.
 */
inline u32 swizzled(u32 address, MapSwizzle swizzle) {
  const u32 bits = swizzle == MapSwizzle::none       ? 0
                   : swizzle == MapSwizzle::bytes_32 ? 1
                   : swizzle == MapSwizzle::bytes_64 ? 3
                                                     : 7;
  return address ^ ((address >> 7 & bits) << 4);
}

inline void carry_out(const Copy& copy) {
  const u32 bytes = copy.map.element_bytes(), row_bytes = copy.map.box_width * bytes;
  for (u32 rank = 0; rank < 16; ++rank) {
    if (!(copy.blocks >> rank & 1)) continue;
    if (copy.from) {
      std::memcpy(at_address(rank, copy.to), copy.from, copy.bytes);
      bytes_came(rank, copy.barrier, copy.bytes);
      continue;
    }
    for (u32 row = 0; row < copy.map.box_height; ++row) {
      for (u32 column = 0; column < copy.map.box_width; ++column) {
        const u64 x = u64{copy.x} + column, y = u64{copy.y} + row;
        unsigned char element[4] = {};
        if (x < copy.map.width && y < copy.map.height)
          std::memcpy(element,
                      reinterpret_cast<const unsigned char*>(copy.map.address + y * copy.map.stride) + x * bytes,
                      bytes);
        if (copy.map.type == MapType::tf32) round_to_tf32(element);
        std::memcpy(at_address(rank, swizzled(copy.to + row * row_bytes + column * bytes, copy.map.swizzle)), element,
                    bytes);
      }
    }
    bytes_came(rank, copy.barrier, row_bytes * copy.map.box_height);
  }
  gpumark_sim_progress();
}

inline void begin_copy(const Copy& copy) {
  if (carries_out_now(Begun::copy)) return carry_out(copy);
  if (under_way.run != gpumark_sim_run()) under_way = {gpumark_sim_run(), {}};
  under_way.copies.push_back(copy);
}

inline void load_box(u32 to, const device::TensorMap& map, u32 x, u32 y, u32 barrier, u32 blocks) {
  Copy copy = {{}, to, barrier, x, y, blocks};
  if (reinterpret_cast<std::uintptr_t>(&map) % 64 || !read_map(&map, &copy.map))
    return forbid("a copy by what is no tensor map");
  const u32 bytes = copy.map.box_width * copy.map.box_height * copy.map.element_bytes();
  if (to % 128 || to < kWindowBegin || to + bytes > kWindowEnd)
    return forbid("a copy to outside shared memory, or off its border of 128 bytes");
  if (copy.map.swizzle == MapSwizzle::bytes_128 && copy.map.box_width * copy.map.element_bytes() != 128)
    return forbid("a swizzled copy whose rows are not 128 bytes: not simulated");
  begin_copy(copy);
}

/** cp.async.bulk without a map. */
inline void load_bytes(u32 to, const void* from, u32 bytes, u32 barrier) {
  if (to % 16 || bytes % 16 || reinterpret_cast<std::uintptr_t>(from) % 16)
    return forbid("a copy off its borders of 16 bytes");
  if (to < kWindowBegin || to + bytes > kWindowEnd) return forbid("a copy to outside shared memory");
  if (bytes) begin_copy({{}, to, barrier, 0, 0, 1u << gpumark_sim_cluster_rank(), from, bytes});
}

/** One of the copies under way, any of them: they overtake each other. */
inline void carry_one_out() {
  if (under_way.run != gpumark_sim_run() || under_way.copies.empty()) return;
  const u64 place = random_word(0x636f7079, ++coin_count) % under_way.copies.size();
  const Copy copy = under_way.copies[place];
  under_way.copies.erase(under_way.copies.begin() + static_cast<std::ptrdiff_t>(place));
  carry_out(copy);
}

/** What else is under way may go on when somebody waits in vain: set by those who have such work. */
inline thread_local void (*carry_other_work_on)() = nullptr;

inline bool barrier_passed(u32 address, u32 parity) {
  const u32 rank = gpumark_sim_cluster_rank();
  const Barrier* barrier = barrier_at(rank, address);
  if (!barrier || forbidden()) return false;
  if (barrier->parity != (parity & 1)) return true;
  if (patience_over()) carry_one_out();
  if (patience_over() && carry_other_work_on) carry_other_work_on();
  return false;
}

}  // namespace gpumark::simulated
