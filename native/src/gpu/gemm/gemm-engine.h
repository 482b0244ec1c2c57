// An engine supplies implementations of a product: the vendor's library, or our own kernels.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/gemm/gemm-problem.h"
#include "gpu/gpu-context.h"
#include "protocol/events.h"

namespace gpumark {

struct GpuRun;

/** One implementation of one product: a kernel of ours, or an algorithm of a library. */
class GemmCandidate {
 public:
  virtual ~GemmCandidate() = default;
  /** Enqueues one product on the context's stream. @throws GpuError */
  virtual void enqueue(const GemmOperands& operands) = 0;
  /** The instructions it uses: "wgmma", "mma.sync", "mfma", "simt"; for a library its name, "cublasLt". */
  virtual std::string path() const = 0;
  /** Identifies it reproducibly: the kernel, or the library's algorithm with its parameters. */
  virtual std::string algorithm() const = 0;
  /** True for a library's first proposal. */
  virtual bool is_first_proposal() const { return false; }
  /** Adds further facts: tile, stages, workspace, version of the library. */
  virtual void add_details(JsonObject& details) const = 0;
};

using GemmCandidates = std::vector<std::unique_ptr<GemmCandidate>>;

class GemmEngine {
 public:
  virtual ~GemmEngine() = default;
  /** "vendor" or "own" */
  virtual const char* name() const = 0;
  /**
   * All candidates worth a trial, the most promising first. Empty: see reason(). @throws GpuError if an allocation
   * fails
   */
  virtual GemmCandidates candidates(GemmType type, const GemmShape& shape) = 0;
  /**
   * Why candidates() returned none, as a sentence without its full stop: "no libcublasLt.so was found (looked in …)".
   */
  virtual std::string reason() const = 0;
  /** The kind of absence: `failed` if there should have been a candidate. */
  virtual Absence absence() const { return Absence::hardware; }
  /** Kernels that exist but were refused since the last call of candidates(). */
  struct Refused {
    std::string kernel, reason;
    /** It needs nothing that some device lacks, and is known to be right: the fault is the device's. */
    bool blames_device = false;
  };
  virtual std::vector<Refused> refused() const { return {}; }
};

/** The engine of the vendor's library for this device; it is loaded at the first call of candidates(). */
std::unique_ptr<GemmEngine> make_vendor_engine(GpuContext& gpu);

/** Our own kernels for this device. */
std::unique_ptr<GemmEngine> make_own_engine(GpuRun& run);

/** An engine, or the reason why it is left out. */
struct EngineSlot {
  const char* name;
  std::unique_ptr<GemmEngine> engine;
  std::string left_out;
};
/** The vendor's first, then our own: the order of preference for the headline. */
std::vector<EngineSlot> engines_of(GpuRun& run);

}  // namespace gpumark
