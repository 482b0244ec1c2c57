// memory_copy_gbs: the C library's memcpy on all workers, bytes read plus bytes written.
#include <algorithm>
#include <cstring>

#include "cpu/cpu-context.h"
#include "cpu/host-memory.h"
#include "cpu/memory-turn.h"
#include "measure/fault.h"
#include "measure/random.h"

namespace gpumark {

void measure_copy(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) {
  const std::uint64_t caches = cpu.topology.llc_bytes * static_cast<std::uint64_t>(cpu.topology.llc_domains);
  const std::uint64_t wanted = std::max<std::uint64_t>(std::uint64_t{256} << 20, 4 * caches);
  const MemoryTurn turn;
  const std::size_t bytes = std::min(wanted, cpu.memory_limit() / 2) / 4096 * 4096;
  if (bytes < caches) return recorder.finish("the memory limit leaves no buffers larger than the last-level cache");
  HostMemory from(bytes), to(bytes);
  if (!from || !to) return recorder.finish("the system refused the memory for the buffers");
  const auto each = [&](auto&& body) {
    return cpu.pool.run_timed([&](int thread) {
      const Share share = share_of(bytes, thread, cpu.pool.size(), 4096);
      body(share.begin, share.end - share.begin);
    });
  };
  each([&](std::size_t at, std::size_t length) {
    for (std::size_t i = at; i < at + length; i += 8) {
      const std::uint64_t word = cpu.options.random_data ? random_bits(cpu.options.seed, i) : 0;
      std::memcpy(from.as<char>() + i, &word, 8);
    }
    std::memset(to.as<char>() + at, 0xff, length);
  });
  const double seconds = cpu.options.seconds(spec);
  const auto slice = [&] {
    const double time = each(
        [&](std::size_t at, std::size_t length) { std::memcpy(to.as<char>() + at, from.as<char>() + at, length); });
    return 2 * static_cast<double>(bytes) / time * 1e-9;
  };
  collect(seconds * 0.2, 1, 1000, slice);
  const std::vector<double> rates = recorder.series(seconds * 0.8, 5, 20000, [&] {
    const double rate = slice();
    recorder.sample("memory_copy_gbs", rate);
    return rate;
  });
  if (rates.size() < 3) return;
  spoil_output(spec.id, to.as<char>(), bytes);
  std::vector<char> same(static_cast<std::size_t>(cpu.pool.size()), 1);
  cpu.pool.run([&](int thread) {
    const Share share = share_of(bytes, thread, cpu.pool.size(), 4096);
    same[static_cast<std::size_t>(thread)] =
        std::memcmp(to.as<char>() + share.begin, from.as<char>() + share.begin, share.end - share.begin) == 0;
  });
  Result r;
  r.metric = "memory_copy_gbs";
  r.stats = summarize(rates);
  r.value = r.stats->median;
  r.verified = std::find(same.begin(), same.end(), 0) == same.end();
  r.details.integer("buffer_bytes", static_cast<std::int64_t>(bytes))
      .integer("threads", cpu.pool.size())
      .text("data", cpu.data_name());
  r.details.text("counted", "bytes read plus bytes written").text("function", "memcpy of the C library");
  if (*r.verified) return recorder.result(r);
  recorder.wrong(r.metric, "the copy differs from its source", r.details);
}

}  // namespace gpumark
