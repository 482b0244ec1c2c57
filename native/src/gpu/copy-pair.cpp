#include "gpu/copy-pair.h"

#include "gpu/gpu-check.h"

namespace gpumark {
namespace {

constexpr int kCopiesPerSample = 4;

class CopyPair {
 public:
  CopyPair(const GpuDriver& driver, double seconds) : driver_(driver), seconds_(seconds) {}

  void measure(CopyPort& a, CopyPort& b, Cell& ab, Cell& ba) {
    if (ab.peer_access) enable(a, b);
    if (ba.peer_access) enable(b, a);
    simplex(a, b, ab);
    simplex(b, a, ba);
    duplex_gbs(a, b);
    const std::vector<double> both = collect(seconds_, 3, 1000, [&] { return duplex_gbs(a, b); });
    if (both.size() >= 3) {
      ab.duplex_stats = ba.duplex_stats = summarize(both);
      ab.duplex_gbs = ba.duplex_gbs = ab.duplex_stats->median;
    }
    finish(a, b, ab);
    finish(b, a, ba);
  }

 private:
  void enable(CopyPort& from, CopyPort& to) const {
    from.gpu.enter();
    const int code = driver_.enable_peer(to.gpu.device(), to.gpu.context());
    if (code != gpu_code::kPeerAlreadyEnabled) from.gpu.check(code, "enabling peer access");
  }

  void copy(CopyPort& from, CopyPort& to) const {
    const PeerMemory source{from.gpu.device(), from.gpu.context(), from.out.address()};
    const PeerMemory target{to.gpu.device(), to.gpu.context(), to.in.address()};
    from.gpu.check(driver_.copy_peer(target, source, from.out.bytes(), from.gpu.stream()), "copying between devices");
  }

  double gbs(const CopyPort& port, double seconds, int directions) const {
    return static_cast<double>(port.out.bytes()) * kCopiesPerSample * directions / seconds * 1e-9;
  }

  void simplex(CopyPort& from, CopyPort& to, Cell& cell) {
    from.gpu.enter();
    const auto sample = [&] {
      return gbs(from, from.gpu.timed([&] {
        for (int i = 0; i < kCopiesPerSample; ++i) copy(from, to);
      }),
                 1);
    };
    sample();
    const std::vector<double> rates = collect(seconds_, 3, 1000, sample);
    if (rates.size() < 3) {
      cell.reason = kStopped;
      return;
    }
    cell.stats = summarize(rates);
    cell.simplex_gbs = cell.stats->median;
  }

  /**
   * Sum of both directions at once: the second device's stream begins and ends within the first one's timed interval.
   */
  double duplex_gbs(CopyPort& a, CopyPort& b) {
    a.gpu.enter();
    const DriverTable& call = driver_.call();
    return gbs(a, a.gpu.timed([&] {
      a.gpu.check(call.event_record(a.begun.handle(), a.gpu.stream()), "recording an event");
      b.gpu.enter();
      b.gpu.check(call.stream_wait_event(b.gpu.stream(), a.begun.handle(), 0), "joining streams");
      for (int i = 0; i < kCopiesPerSample; ++i) {
        a.gpu.enter();
        copy(a, b);
        b.gpu.enter();
        copy(b, a);
      }
      b.gpu.check(call.event_record(b.ended.handle(), b.gpu.stream()), "recording an event");
      a.gpu.enter();
      a.gpu.check(call.stream_wait_event(a.gpu.stream(), b.ended.handle(), 0), "joining streams");
    }),
               2);
  }

  /** Verifies that every byte arrived as sent. */
  void finish(CopyPort& from, CopyPort& to, Cell& cell) const {
    to.gpu.enter();
    to.in.poison();
    to.gpu.wait();
    from.gpu.enter();
    copy(from, to);
    from.gpu.wait();
    to.gpu.enter();
    cell.verified = checksum(to.gpu, to.in) == from.sent;
    cell.details.integer("bytes", static_cast<std::int64_t>(from.out.bytes()))
        .integer("copies_per_sample", kCopiesPerSample)
        .boolean("held_until_enqueued", from.gpu.held());
    if (*cell.verified) return;
    refuse(cell, "the copy differs from its source");
  }

  const GpuDriver& driver_;
  double seconds_;
};

}  // namespace

CopyPort::CopyPort(const GpuDriver& driver, const GpuDevice& device, std::size_t bytes, const RunOptions& options)
    : gpu(driver, device), out(gpu, bytes), in(gpu, bytes), begun(gpu), ended(gpu) {
  fill(gpu, out, options.seed + static_cast<std::uint64_t>(device.ordinal), options.random_data);
  sent = checksum(gpu, out);
}

Cell describe_cell(const GpuDriver& driver, const GpuDevice& from, const GpuDevice& to) {
  Cell cell;
  cell.source = from.id;
  cell.target = to.id;
  int can = 0;
  cell.peer_access = driver.call().can_access_peer(&can, from.handle, to.handle) == 0 && can != 0;
  cell.connection = driver.connection(from, to, cell);
  return cell;
}

void refuse(Cell& cell, const std::string& reason) {
  cell.simplex_gbs.reset();
  cell.duplex_gbs.reset();
  cell.stats.reset();
  cell.duplex_stats.reset();
  cell.reason = reason;
}

void measure_copy_pair(const GpuDriver& driver, CopyPort& a, CopyPort& b, double seconds, Cell& ab, Cell& ba) {
  CopyPair(driver, seconds).measure(a, b, ab, ba);
}

}  // namespace gpumark
