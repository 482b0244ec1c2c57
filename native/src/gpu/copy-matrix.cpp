#include "gpu/copy-matrix.h"

#include <algorithm>
#include <map>

#include "gpu/gpu-check.h"
#include "measure/stop.h"
#include "sensors/nvml.h"

namespace gpumark {
namespace {

constexpr std::size_t kWantedBytes = std::size_t{256} << 20;
constexpr int kCopiesPerSample = 4;
/** Seconds for the whole matrix in the quick tier; each series gets its part, within bounds. */
constexpr double kMatrixSeconds = 8;
constexpr double kLeastSeconds = 0.02;
constexpr double kMostSeconds = 0.5;

/** One end of a copy: an opened device with a buffer to send and one to receive into. */
struct Port {
  GpuContext gpu;
  GpuMemory out, in;
  Handle begun = nullptr, ended = nullptr;
  std::uint64_t sent = 0;

  Port(const GpuDriver& driver, const GpuDevice& device, std::size_t bytes, const RunOptions& options) : gpu(driver, device), out(gpu, bytes), in(gpu, bytes) {
    gpu.check(gpu.call().event_create(&begun, 0), "creating an event");
    gpu.check(gpu.call().event_create(&ended, 0), "creating an event");
    fill(gpu, out, options.seed + static_cast<std::uint64_t>(device.ordinal), options.random_data);
    sent = checksum(gpu, out);
  }
};

class CopyMatrix {
 public:
  CopyMatrix(const GpuDriver& driver, const RunOptions& options, Emitter& emitter, double seconds_each) : driver_(driver), options_(options), emitter_(emitter), seconds_(seconds_each) {}

  /** Both directions of one pair. */
  bool measure_pair(Port& a, Port& b) {
    Cell ab = begin(a, b), ba = begin(b, a);
    try {
      if (ab.peer_access) enable(a, b);
      if (ba.peer_access) enable(b, a);
      simplex(a, b, ab);
      simplex(b, a, ba);
      const std::vector<double> both = collect(seconds_, 3, 1000, [&] { return duplex_gbs(a, b); });
      if (both.size() >= 3) ab.duplex_gbs = ba.duplex_gbs = summarize(both).median;
      finish(a, b, ab);
      finish(b, a, ba);
    } catch (const GpuError& error) {
      for (Cell* cell : {&ab, &ba}) {
        cell->simplex_gbs.reset();
        cell->duplex_gbs.reset();
        cell->reason = error.what();
      }
    }
    emitter_.cell(ab);
    emitter_.cell(ba);
    return ab.simplex_gbs && ba.simplex_gbs;
  }

 private:
  Cell begin(const Port& from, const Port& to) const {
    Cell cell;
    cell.source = from.gpu.device().id;
    cell.target = to.gpu.device().id;
    int can = 0;
    const int asked = driver_.call().can_access_peer(&can, from.gpu.device().handle, to.gpu.device().handle);
    cell.peer_access = asked == 0 && can != 0;
    cell.connection = connection(from.gpu.device(), to.gpu.device(), cell);
    return cell;
  }

  std::string connection(const GpuDevice& from, const GpuDevice& to, Cell& cell) const {
    if (driver_.is_nvidia()) {
      const std::string link = nvml_connection(from.pci_id, to.pci_id);
      if (!cell.peer_access) return link.rfind("PCIe", 0) == 0 ? link + ", host-staged (no peer access)" : "host-staged (no peer access)";
      return link.empty() ? "unknown" : link;
    }
    std::uint32_t type = 0, hops = 0;
    const bool known = driver_.call().hip_link_type(from.ordinal, to.ordinal, &type, &hops) == 0;
    if (known) cell.details.integer("hops", hops);
    if (!cell.peer_access) return "host-staged (no peer access)";
    // Link types of the HSA runtime (hsa_ext_amd.h): 2 PCI Express, 4 xGMI.
    if (known && type == 4) return hops > 1 ? "xGMI (" + std::to_string(hops) + " hops)" : "xGMI";
    return known && type == 2 ? "PCIe" : "unknown";
  }

  void enable(Port& from, Port& to) const {
    from.gpu.enter();
    const int code = driver_.is_nvidia() ? driver_.call().cu_enable_peer(to.gpu.cuda_context(), 0) : driver_.call().hip_enable_peer(to.gpu.device().ordinal, 0);
    if (code != gpu_code::kPeerAlreadyEnabled) from.gpu.check(code, "enabling peer access");
  }

  void copy(Port& from, Port& to) const {
    const DriverTable& call = driver_.call();
    const std::size_t bytes = from.out.bytes();
    from.gpu.check(driver_.is_nvidia()
                       ? call.cu_copy_peer(to.in.address(), to.gpu.cuda_context(), from.out.address(), from.gpu.cuda_context(), bytes, from.gpu.stream())
                       : call.hip_copy_peer(to.in.address(), to.gpu.device().ordinal, from.out.address(), from.gpu.device().ordinal, bytes, from.gpu.stream()),
                   "copying between devices");
  }

  double gbs(const Port& port, double seconds, int directions) const { return static_cast<double>(port.out.bytes()) * kCopiesPerSample * directions / seconds * 1e-9; }

  void simplex(Port& from, Port& to, Cell& cell) {
    from.gpu.enter();
    const auto sample = [&] {
      return gbs(from, from.gpu.timed([&] {
        for (int i = 0; i < kCopiesPerSample; ++i) copy(from, to);
      }), 1);
    };
    sample();
    const std::vector<double> rates = collect(seconds_, 3, 1000, sample);
    if (rates.size() < 3) {
      cell.reason = "the run was stopped before this was measured";
      return;
    }
    cell.stats = summarize(rates);
    cell.simplex_gbs = cell.stats->median;
  }

  /** The other device's stream begins and ends within the first one's time. */
  double duplex_gbs(Port& a, Port& b) {
    a.gpu.enter();
    const DriverTable& call = driver_.call();
    return gbs(a, a.gpu.timed([&] {
      a.gpu.check(call.event_record(a.begun, a.gpu.stream()), "recording an event");
      b.gpu.enter();
      b.gpu.check(call.stream_wait_event(b.gpu.stream(), a.begun, 0), "joining streams");
      for (int i = 0; i < kCopiesPerSample; ++i) {
        a.gpu.enter();
        copy(a, b);
        b.gpu.enter();
        copy(b, a);
      }
      b.gpu.check(call.event_record(b.ended, b.gpu.stream()), "recording an event");
      a.gpu.enter();
      a.gpu.check(call.stream_wait_event(a.gpu.stream(), b.ended, 0), "joining streams");
    }), 2);
  }

  /** Every byte that arrived is the one that was sent. */
  void finish(Port& from, Port& to, Cell& cell) const {
    to.gpu.enter();
    to.in.poison();
    to.gpu.wait();
    from.gpu.enter();
    copy(from, to);
    from.gpu.wait();
    to.gpu.enter();
    cell.verified = checksum(to.gpu, to.in) == from.sent;
    cell.details.integer("bytes", static_cast<std::int64_t>(from.out.bytes())).integer("copies_per_sample", kCopiesPerSample);
    if (*cell.verified) return;
    cell.simplex_gbs.reset();
    cell.duplex_gbs.reset();
    cell.reason = "the copy differs from its source";
  }

  const GpuDriver& driver_;
  const RunOptions& options_;
  Emitter& emitter_;
  double seconds_;
};

double seconds_per_series(const RunOptions& options, std::size_t devices) {
  const double series = 1.5 * static_cast<double>(devices * (devices - 1));
  const double tier = options.tier == Tier::quick ? 1 : 10;
  return std::min(kMostSeconds, std::max(kLeastSeconds, kMatrixSeconds * tier * options.time_scale / series));
}

std::size_t bytes_for(const GpuDriver& driver, const std::vector<GpuDevice>& devices) {
  std::size_t bytes = kWantedBytes;
  for (const GpuDevice& device : devices) bytes = std::min(bytes, GpuContext(driver, device).free_bytes() / 4);
  return whole_tiles(bytes);
}

}  // namespace

bool measure_copy_matrix(const GpuDriver& driver, const std::vector<GpuDevice>& devices, const RunOptions& options, Emitter& emitter) {
  bool complete = true;
  std::vector<std::unique_ptr<Port>> ports;
  try {
    const std::size_t bytes = bytes_for(driver, devices);
    if (bytes == 0) throw GpuError("allocating device memory for the matrix", gpu_code::kOutOfMemory, driver.error_name(gpu_code::kOutOfMemory));
    for (const GpuDevice& device : devices) ports.push_back(std::make_unique<Port>(driver, device, bytes, options));
  } catch (const GpuError& error) {
    emitter.failure("", {"driver_call_failed", std::string("the matrix could not be prepared: ") + error.what(), "Check the cards with the tools of their maker (nvidia-smi, rocm-smi)."});
    return false;
  }
  CopyMatrix matrix(driver, options, emitter, seconds_per_series(options, devices.size()));
  for (std::size_t i = 0; i < ports.size(); ++i) {
    for (std::size_t j = i + 1; j < ports.size() && !stop_requested(); ++j) complete = matrix.measure_pair(*ports[i], *ports[j]) && complete;
  }
  return complete;
}

}  // namespace gpumark
