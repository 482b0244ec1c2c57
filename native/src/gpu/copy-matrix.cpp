// Copy matrix: copies from every device of a backend to every other, in one direction and in both at once, every byte
// verified. Without peer access the driver stages through the host, which is measured and labelled so.
#include <algorithm>

#include "gpu/copy-pair.h"
#include "gpu/gpu-session.h"
#include "measure/stop.h"

namespace gpumark {
namespace {

constexpr std::size_t kWantedBytes = std::size_t{256} << 20;
/** Each series gets an equal share of the matrix's time, within these bounds. */
constexpr double kLeastSeconds = 0.02;
constexpr double kMostSeconds = 0.5;

/** A device of the matrix. If it has no port, its problem is the reason in each of its cells. */
struct End {
  GpuDevice device;
  std::unique_ptr<CopyPort> port;
  std::string problem;
};

class CopyMatrix {
 public:
  CopyMatrix(const GpuDriver& driver, const std::vector<GpuDevice>& devices, const RunOptions& options,
             Emitter& emitter)
      : driver_(driver), options_(options), emitter_(emitter) {
    for (const GpuDevice& device : devices) ends_.push_back({device, nullptr, ""});
    const double series = 1.5 * static_cast<double>(devices.size() * (devices.size() - 1));
    const double all = kMatrixSeconds.of(options.tier) * options.time_scale;
    seconds_ = std::min(kMostSeconds, std::max(kLeastSeconds, all / series));
  }

  MatrixOutcome measure() {
    choose_bytes();
    for (End& end : ends_) open(end);
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      for (std::size_t j = i + 1; j < ends_.size(); ++j) measure_pair(ends_[i], ends_[j]);
    }
    return outcome_;
  }

 private:
  /**
   * One size for all cells, so that they can be compared; a device whose memory is held by other processes would make
   * all sizes small and is left out.
   */
  void choose_bytes() {
    for (End& end : ends_) {
      attempt(end, [&] {
        const GpuContext gpu(driver_, end.device);
        GpuSession::refuse_if_taken(gpu);
        bytes_ = std::min(bytes_, gpu.free_bytes() / 4);
      });
    }
    bytes_ = whole_tiles(bytes_);
  }

  void open(End& end) {
    if (!end.problem.empty()) return;
    attempt(end, [&] { end.port = std::make_unique<CopyPort>(driver_, end.device, bytes_, options_); });
  }

  template <class Action>
  void attempt(End& end, Action action) {
    try {
      action();
    } catch (const DeviceUnusable& unusable) {
      give_up(end, unusable);
    } catch (const GpuError& error) {
      give_up(end, why_unusable(driver_, end.device, error));
    }
  }

  void give_up(End& end, const DeviceUnusable& unusable) {
    end.problem = unusable.message;
    emitter_.failure(end.device.id, {unusable.code, unusable.message, unusable.remedy});
  }

  void measure_pair(End& a, End& b) {
    Cell ab = describe_cell(driver_, a.device, b.device), ba = describe_cell(driver_, b.device, a.device);
    const std::string& problem = a.problem.empty() ? b.problem : a.problem;
    if (stop_requested() || !problem.empty()) {
      for (Cell* cell : {&ab, &ba}) refuse(*cell, stop_requested() ? kStopped : problem);
    } else {
      try {
        // A path that cannot be enqueued behind a held stream does not affect the next.
        for (End* end : {&a, &b}) end->port->gpu.hold_again();
        measure_copy_pair(driver_, *a.port, *b.port, seconds_, ab, ba);
      } catch (const GpuError& error) {
        for (Cell* cell : {&ab, &ba}) refuse(*cell, error.what());
        for (End* end : {&a, &b}) restore(*end, error);
      }
    }
    for (Cell* cell : {&ab, &ba}) say(*cell);
  }

  /** A failed copy breaks the contexts of both devices; the sound device works again once it is reopened. */
  void restore(End& end, const GpuError& error) {
    if (end.port->gpu.answers()) return;
    end.port.reset();
    try {
      end.port = std::make_unique<CopyPort>(driver_, end.device, bytes_, options_);
    } catch (const GpuError&) {
      give_up(end, {"device_lost", end.device.id + " stopped working during the matrix: " + error.what(),
                    "Look at the kernel's log (dmesg: Xid, amdgpu) and reset or replace the card."});
    }
  }

  void say(Cell& cell) {
    if (!cell.simplex_gbs) cell.details.text("absence", "failed");
    outcome_.complete = outcome_.complete && cell.simplex_gbs && cell.duplex_gbs;
    emitter_.cell(cell);
    if (cell.verified.value_or(true)) return;
    outcome_.wrong = true;
    emitter_.failure(cell.source, {"verification_failed", cell.source + " to " + cell.target + ": " + cell.reason,
                                   "Run the self-test on both; if it passes, suspect the link between them."});
  }

  const GpuDriver& driver_;
  const RunOptions& options_;
  Emitter& emitter_;
  std::vector<End> ends_;
  std::size_t bytes_ = kWantedBytes;
  double seconds_;
  MatrixOutcome outcome_;
};

}  // namespace

MatrixOutcome measure_copy_matrix(const GpuDriver& driver, const std::vector<GpuDevice>& devices,
                                  const RunOptions& options, Emitter& emitter) {
  return CopyMatrix(driver, devices, options, emitter).measure();
}

}  // namespace gpumark
