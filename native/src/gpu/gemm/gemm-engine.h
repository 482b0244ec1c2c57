// An engine is a source of ways to compute a product: the vendor's library, or our own kernels.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/gemm/gemm-problem.h"
#include "gpu/gpu-context.h"
#include "protocol/events.h"

namespace gpumark {

struct GpuRun;

/** One way to compute one product: a kernel of ours, or an algorithm of a library. */
class GemmWay {
 public:
  virtual ~GemmWay() = default;
  /** Puts one product on the context's stream. Does not wait. @throws GpuError */
  virtual void enqueue(const GemmOperands& operands) = 0;
  /** The units and the instructions: "wgmma", "mma.sync", "mfma", "simt"; of a library its name, "cublasLt". */
  virtual std::string path() const = 0;
  /** What to name to get the same again: the kernel, or the library's algorithm with its parameters. */
  virtual std::string algorithm() const = 0;
  /** True for what a library proposes before all else. */
  virtual bool is_first_proposal() const { return false; }
  /** Whatever else describes it: tile, stages, workspace, version of the library. */
  virtual void describe(JsonObject& details) const = 0;
};

using GemmWays = std::vector<std::unique_ptr<GemmWay>>;

class GemmEngine {
 public:
  virtual ~GemmEngine() = default;
  /** "vendor" or "own" */
  virtual const char* name() const = 0;
  /**
   * All ways that are worth a trial, the most promising first. Empty: see reason(). Refused allocations throw GpuError.
   */
  virtual GemmWays ways(GemmType type, const GemmShape& shape) = 0;
  /** Why ways() gave none, as a sentence without its full stop: "no libcublasLt.so was found (looked in …)". */
  virtual std::string reason() const = 0;
  /** What kind of absence that is: `failed` if there should have been a way. */
  virtual Absence absence() const { return Absence::hardware; }
  /** Kernels that were there and not used since the last call of ways(). */
  struct Refused {
    std::string kernel, reason;
    /** It runs on the ordinary lanes, as other kernels that are known to be right: what is wrong is the device. */
    bool blames_device = false;
  };
  virtual std::vector<Refused> refused() const { return {}; }
};

/** The vendor's library for this device, loaded at the first call of ways(). */
std::unique_ptr<GemmEngine> make_vendor_engine(GpuContext& gpu);

/** Our own kernels for this device. */
std::unique_ptr<GemmEngine> make_own_engine(GpuRun& run);

/** An engine, or in its place the sentence why it takes no part. */
struct EngineSlot {
  const char* name;
  std::unique_ptr<GemmEngine> engine;
  std::string left_out;
};
/** The vendor's first, then our own: the order in which they count. */
std::vector<EngineSlot> engines_of(GpuRun& run);

}  // namespace gpumark
