#include "collective/rank-buffers.h"

#include <algorithm>

#include "collective/data-pattern.h"

namespace gpumark {
namespace {

/** The library needs device memory too, and allocates some of it only when a size first needs it. */
constexpr double kShareOfFree = 0.4;
constexpr std::size_t kChunkFloats = std::size_t{2} << 20;

/** 0 if this node does not have the memory. */
bool try_allocate(RankGroup& group, std::size_t bytes) {
  try {
    for (const auto& one : group.local()) {
      one->gpu->enter();
      one->input = std::make_unique<GpuMemory>(*one->gpu, bytes);
      one->output = std::make_unique<GpuMemory>(*one->gpu, bytes);
    }
    return true;
  } catch (const GpuError& error) {
    if (error.code != gpu_code::kOutOfMemory) throw;
  }
  for (const auto& one : group.local()) {
    one->gpu->enter();
    one->input.reset();
    one->output.reset();
  }
  return false;
}

std::string told(const LocalRank& one, const char* name, std::size_t count, std::uint64_t wrong, std::uint64_t place) {
  return std::string(name) + " of " + std::to_string(count * sizeof(float)) + " bytes: " + std::to_string(wrong) +
         " of " + std::to_string(count) + " elements are wrong on rank " + std::to_string(one.rank) + " (" +
         one.gpu->device().id + "), the first at " + std::to_string(place);
}

}  // namespace

std::size_t allocate_buffers(RankGroup& group, std::size_t max_memory_bytes, std::size_t smallest, std::size_t largest,
                             std::size_t step) {
  double room = static_cast<double>(largest);
  for (const auto& one : group.local()) {
    one->gpu->enter();
    const double mine = kShareOfFree * static_cast<double>(one->gpu->free_bytes());
    room = std::min(room, max_memory_bytes > 0 ? std::min(mine, static_cast<double>(max_memory_bytes) / 2) : mine);
  }
  room = -group.agree_on_largest({-room}).front();
  std::size_t bytes = largest;
  while (bytes > smallest && static_cast<double>(bytes) > room) bytes /= step;
  for (; bytes >= smallest && static_cast<double>(bytes) <= room; bytes /= step) {
    const bool failed = !try_allocate(group, bytes);
    // One rank that fails to allocate would leave all others waiting.
    if (group.agree_on_largest({failed ? 1.0 : 0.0}).front() == 0) return bytes;
  }
  throw GpuError("allocating two buffers of " + std::to_string(smallest) + " bytes on every rank",
                 gpu_code::kOutOfMemory, "at least one rank does not have that much memory left");
}

void fill_inputs(RankGroup& group) {
  group.each([](LocalRank& one) {
    const std::vector<float> values = rank_values(one.rank);
    const std::size_t count = one.input->bytes() / sizeof(float);
    const PinnedMemory chunk(*one.gpu, std::min(count, kChunkFloats) * sizeof(float));
    for (std::size_t at = 0; at < count; at += kChunkFloats) {
      const std::size_t part = std::min(kChunkFloats, count - at);
      fill_pattern(chunk.as<float>(), part, at, values);
      one.gpu->check(one.gpu->call().copy_to_device(one.input->address() + at * sizeof(float), chunk.as<float>(),
                                                    part * sizeof(float), one.gpu->stream()),
                     "copying to the device");
      one.gpu->wait();
    }
  });
}

void prove(RankGroup& group, CollectiveKind kind, std::size_t count, const char* name) {
  group.each([&](LocalRank& one) {
    one.output->poison();
    group.enqueue(one, kind, count);
  });
  group.each([](LocalRank& one) { one.gpu->wait(); });
  const std::vector<float> expected =
      kind == CollectiveKind::all_reduce ? summed_values(group.ranks()) : rank_values(0);
  std::vector<std::string> wrongs(group.local().size());
  group.each([&](LocalRank& one) {
    const PinnedMemory chunk(*one.gpu, std::min(count, kChunkFloats) * sizeof(float));
    std::uint64_t wrong = 0, first = 0;
    for (std::size_t at = 0; at < count; at += kChunkFloats) {
      const std::size_t part = std::min(kChunkFloats, count - at);
      one.gpu->check(one.gpu->call().copy_to_host(chunk.as<float>(), one.output->address() + at * sizeof(float),
                                                  part * sizeof(float), one.gpu->stream()),
                     "copying to the host");
      one.gpu->wait();
      std::uint64_t place = 0;
      const std::uint64_t here = count_wrong(chunk.as<float>(), part, at, expected, place);
      if (here > 0 && wrong == 0) first = place;
      wrong += here;
    }
    if (wrong > 0)
      wrongs[static_cast<std::size_t>(one.rank - group.local().front()->rank)] = told(one, name, count, wrong, first);
  });
  std::string mine;
  for (const std::string& wrong : wrongs) mine += (mine.empty() || wrong.empty() ? "" : "; ") + wrong;
  const bool elsewhere = group.agree_on_largest({mine.empty() ? 0.0 : 1.0}).front() > 0;
  if (!mine.empty()) throw WrongCollective(mine);
  if (elsewhere)
    throw WrongCollective(std::string(name) + " of " + std::to_string(count * sizeof(float)) +
                          " bytes: wrong on a rank of another node");
}

}  // namespace gpumark
