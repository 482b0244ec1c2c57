// host_to_device_bandwidth_gbs, device_to_host_bandwidth_gbs: pinned memory near the device, by the copy engines; both
// directions at once beside them.
#include <algorithm>
#include <cstring>

#include "gpu/gpu-check.h"
#include "gpu/pcie-link.h"
#include "measure/stop.h"

namespace gpumark {
namespace {

constexpr std::size_t kWantedBytes = std::size_t{256} << 20;
constexpr std::size_t kLeastBytes = std::size_t{1} << 20;
constexpr int kCopiesPerSample = 4;

class HostLink {
 public:
  HostLink(GpuRun& run, std::size_t bytes)
      : gpu_(run.gpu),
        to_device_(gpu_, bytes),
        to_host_(gpu_, bytes),
        first_(gpu_, bytes),
        second_(gpu_, bytes),
        other_(gpu_),
        begun_(gpu_),
        ended_(gpu_) {
    fill(gpu_, first_, run.options.seed, run.options.random_data);
    download(gpu_.stream());
    gpu_.wait();
    std::memcpy(to_device_.as<void>(), to_host_.as<void>(), bytes);
  }
  double upload_gbs() {
    return rate(gpu_.timed([&] { repeat([&] { upload(gpu_.stream()); }); }), 1);
  }
  double download_gbs() {
    return rate(gpu_.timed([&] { repeat([&] { download(gpu_.stream()); }); }), 1);
  }
  /** Both directions at once, the sum. */
  double both_gbs() {
    return rate(gpu_.timed([&] {
      gpu_.check(gpu_.call().event_record(begun_.handle(), gpu_.stream()), "recording an event");
      gpu_.check(gpu_.call().stream_wait_event(other_.handle(), begun_.handle(), 0), "joining streams");
      repeat([&] {
        upload(gpu_.stream());
        download(other_.handle());
      });
      gpu_.check(gpu_.call().event_record(ended_.handle(), other_.handle()), "recording an event");
      gpu_.check(gpu_.call().stream_wait_event(gpu_.stream(), ended_.handle(), 0), "joining streams");
    }),
                2);
  }
  /** The PCIe link's state while it copies. */
  PcieLink under_load(const Vendor& vendor, const std::string& sysfs_root) {
    for (int i = 0; i < 2; ++i) repeat([&] { upload(gpu_.stream()); });
    const PcieLink link = read_pcie_link(vendor, gpu_.device().pci_id, sysfs_root);
    gpu_.wait();
    return link;
  }
  /**
   * Verifies every byte of a round trip: the copy on the host equals the device's data, and so does the copy sent back.
   */
  bool right(const GpuRun& run) {
    to_device_copy_of_download();
    second_.poison();
    upload(gpu_.stream());
    gpu_.wait();
    spoil_device_output("link", gpu_, second_);
    return host_agrees(first_, run.options.seed, 0, run.options.random_data) &&
           checksum(gpu_, first_) == checksum(gpu_, second_);
  }

 private:
  void upload(Handle stream) {
    gpu_.check(gpu_.call().copy_to_device(second_.address(), to_device_.as<void>(), second_.bytes(), stream),
               "copying to the device");
  }
  void download(Handle stream) {
    gpu_.check(gpu_.call().copy_to_host(to_host_.as<void>(), first_.address(), first_.bytes(), stream),
               "copying to the host");
  }
  void to_device_copy_of_download() {
    std::memset(to_host_.as<void>(), 0xff, to_host_.bytes());
    download(gpu_.stream());
    gpu_.wait();
    std::memcpy(to_device_.as<void>(), to_host_.as<void>(), to_host_.bytes());
  }
  template <class Copy>
  static void repeat(Copy copy) {
    for (int i = 0; i < kCopiesPerSample; ++i) copy();
  }
  double rate(double seconds, int directions) const {
    return static_cast<double>(first_.bytes()) * kCopiesPerSample * directions / seconds * 1e-9;
  }

  GpuContext& gpu_;
  PinnedMemory to_device_, to_host_;
  GpuMemory first_, second_;
  GpuStream other_;
  GpuEvent begun_, ended_;
};

}  // namespace

void measure_gpu_link(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  const GpuContext& gpu = run.gpu;
  const std::size_t bytes = whole_tiles(std::min(kWantedBytes, run.memory_limit() / 4));
  if (bytes < kLeastBytes) return recorder.finish("too little free device memory for the buffers");
  HostLink link(run, bytes);
  const double seconds = run.seconds(spec);
  const auto series = [&](const char* metric, double (HostLink::*copy)()) {
    (link.*copy)();
    return recorder.series(seconds * 0.3, 5, 20000, [&] {
      const double rate = (link.*copy)();
      recorder.sample(metric, rate);
      return rate;
    });
  };
  const std::vector<double> up = series("host_to_device_bandwidth_gbs", &HostLink::upload_gbs);
  if (up.size() < 3) return;
  const std::vector<double> down = series("device_to_host_bandwidth_gbs", &HostLink::download_gbs);
  link.both_gbs();
  const std::vector<double> both = collect(seconds * 0.3, 5, 20000, [&] { return link.both_gbs(); });
  const PcieLink pcie = link.under_load(gpu.driver().vendor(), run.options.sysfs_root);
  const bool right = link.right(run);
  const auto report = [&](const char* metric, const std::vector<double>& rates) {
    if (rates.size() < 3) return;
    Result r;
    r.metric = metric;
    r.stats = summarize(rates);
    r.value = r.stats->median;
    r.verified = right;
    r.details.integer("buffer_bytes", static_cast<std::int64_t>(bytes))
        .integer("copies_per_sample", kCopiesPerSample)
        .text("engine", "copy engine")
        .boolean("pinned", true);
    gpu.device().numa_node < 0 ? r.details.null("numa_node") : r.details.integer("numa_node", gpu.device().numa_node);
    r.details.object("pcie_under_load", pcie.object()).text("data", run.data_name());
    run.add_conditions(r.details);
    // The sum of two directions that share root complex and memory: it varies more than either alone.
    if (both.size() >= 3) {
      const Statistics sum = summarize(both);
      r.details.number("both_directions_gbs", sum.median).object("both_directions_stats", statistics_object(sum));
    }
    if (right) return recorder.result(r);
    recorder.wrong(metric, "the copy differs from its source", r.details);
  };
  report("host_to_device_bandwidth_gbs", up);
  report("device_to_host_bandwidth_gbs", down);
}

}  // namespace gpumark
