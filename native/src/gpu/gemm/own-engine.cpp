// Our own kernels: those of the registry that this device's images contain, each verified on the device before use.
#include <algorithm>

#include "gpu/gemm/gemm-engine.h"
#include "gpu/gpu-benchmark.h"
#include "gpu/gemm/gemm-proof.h"
#include "gpu/kernel-trials.h"
#include "gpu/gemm/own-kernels.h"
#include "gpu/gemm/tensor-map-args.h"

namespace gpumark {
namespace {

bool takes_tensor_maps(const OwnKernel& kernel) {
  return kernel.family == KernelFamily::wgmma || kernel.family == KernelFamily::tcgen05;
}

class OwnCandidate : public GemmCandidate {
 public:
  OwnCandidate(GpuContext& gpu, const OwnKernel& kernel, Handle function, const GemmShape& shape)
      : gpu_(gpu), kernel_(kernel), function_(function), shape_(shape) {}

  void enqueue(const GemmOperands& o) override {
    if (takes_tensor_maps(kernel_)) {
      const Launch launch{tensor_map_blocks(gpu_, kernel_, shape_), kernel_.threads, kernel_.shared_bytes};
      return gpu_.launch_function(gpu_.stream(), function_, launch, tensor_map_args(gpu_, kernel_, shape_, o),
                                  kernel_.name);
    }
    const device::GemmArgs args{reinterpret_cast<void*>(o.c),
                                reinterpret_cast<const void*>(o.a),
                                reinterpret_cast<const void*>(o.b),
                                shape_.m,
                                shape_.n,
                                shape_.k};
    const unsigned tiles = tiles_over(shape_.m, shape_.n, kernel_.tile_m, kernel_.tile_n);
    gpu_.launch_function(gpu_.stream(), function_, {tiles, kernel_.threads, kernel_.shared_bytes}, args, kernel_.name);
  }
  std::string path() const override { return path_name(kernel_.family); }
  std::string algorithm() const override { return kernel_.name; }
  void add_details(JsonObject& details) const override {
    details.text("tile", std::to_string(kernel_.tile_m) + "x" + std::to_string(kernel_.tile_n) + "x" +
                             std::to_string(kernel_.tile_k));
    if (!kernel_.portable) details.text("image", gpu_.matrix_module().image());
    if (is_block_scaled(kernel_.type))
      details.text("output_type", "bf16")
          .text("scales", kernel_.type == GemmType::nvfp4 ? "UE4M3 per 16" : "UE8M0 per 32");
    details.integer("stages", kernel_.stages).integer("threads", kernel_.threads).integer("cluster", kernel_.cluster);
    // Hopper's matrix units accumulate fp8 products with less precision than fp32; libraries do the same with fast
    // accumulation.
    if (kernel_.family == KernelFamily::wgmma && kernel_.type == GemmType::fp8)
      details.text("accumulation", "in the matrix units, about 14 bits");
  }

 private:
  GpuContext& gpu_;
  const OwnKernel& kernel_;
  Handle function_;
  GemmShape shape_;
};

class OwnEngine : public GemmEngine {
 public:
  explicit OwnEngine(GpuRun& run) : run_(run), gpu_(run.gpu) {}
  const char* name() const override { return "own"; }
  std::string reason() const override { return reason_; }
  Absence absence() const override { return refused_.empty() ? Absence::hardware : Absence::failed; }
  std::vector<Refused> refused() const override { return refused_; }

  GemmCandidates candidates(GemmType type, const GemmShape& shape) override {
    GemmCandidates found;
    // Lower kinds of instructions are not tried if a better one works, except for fp64, where the ordinary lanes can be
    // faster.
    KernelFamily best = KernelFamily::simt;
    refused_.clear();
    try_kernels_apart(run_, type);
    for (const OwnKernel& kernel : own_kernels()) {
      if (kernel.type != type) continue;
      if (!found.empty() && kernel.family != best && type != GemmType::fp64) break;
      const Handle function = find(kernel);
      if (!function) continue;
      if (is_proven(kernel, function)) {
        best = kernel.family;
        found.push_back(std::make_unique<OwnCandidate>(gpu_, kernel, function, shape));
      } else {
        refused_.push_back(
            {kernel.name, run_.trust.reason(kernel.name), kernel.portable && run_.trust.was_tried(kernel.name)});
      }
    }
    // Where a kernel that is known to be right is wrong, no other is trusted for having been right twice.
    if (std::any_of(refused_.begin(), refused_.end(), blames_device)) found.clear();
    if (found.empty()) explain(type);
    return found;
  }

 private:
  /** Null if no image of this device has the kernel, or the device has too little shared memory. */
  Handle find(const OwnKernel& kernel) {
    if (kernel.portable) return gpu_.portable_kernel(kernel.name);
    if (takes_tensor_maps(kernel) && !makes_tensor_maps(gpu_)) return nullptr;
    GpuModule& module = gpu_.matrix_module();
    if (!module.loaded() || kernel.shared_bytes > static_cast<unsigned>(gpu_.device().shared_bytes)) return nullptr;
    const Handle function = module.find(kernel.name);
    if (function) module.allow_shared(function, kernel.shared_bytes);
    return function;
  }

  /** Verifies two products with ragged edges, the second with more k steps than stages, once per device and process. */
  bool is_proven(const OwnKernel& kernel, Handle function) {
    if (run_.trust.state(kernel.name) == KernelTrust::State::untried) {
      run_.trust.begin_trial(kernel.name);
      const unsigned steps = std::max(is_block_scaled(kernel.type) ? 128u : 64u, kernel.tile_k);
      std::string wrong;
      for (const GemmShape& shape :
           {GemmShape{kernel.tile_m + 37, kernel.tile_n - 8, is_block_scaled(kernel.type) ? 3 * 128u : 3 * 64u},
            GemmShape{kernel.tile_m - 27, kernel.tile_n + 24, (kernel.stages + 1) * steps}}) {
        const GemmData data(run_, kernel.type, shape, GemmFill::random, 0);
        OwnCandidate candidate(gpu_, kernel, function, shape);
        const GemmProof proof = prove_product(run_, candidate, data, "own_kernel");
        if (wrong.empty() && !(proof.right && proof.repeats))
          wrong = "at " + std::to_string(shape.m) + " x " + std::to_string(shape.n) + " x " + std::to_string(shape.k) +
                  ", " + proof.what;
      }
      run_.trust.conclude(wrong.empty(), wrong);
    }
    return run_.trust.state(kernel.name) == KernelTrust::State::proven;
  }

  static bool blames_device(const Refused& one) { return one.blames_device; }

  void explain(GemmType type) {
    const auto blamed = std::find_if(refused_.begin(), refused_.end(), blames_device);
    if (blamed != refused_.end()) {
      reason_ = std::string("a kernel of ours that is known to be right failed its trial on this device (") +
                blamed->kernel + ": " + blamed->reason + ")";
    } else if (!refused_.empty()) {
      reason_ = std::string("no ") + spec_of(type).name + " kernel of ours passed its trial on this device (" +
                refused_.front().kernel + ": " + refused_.front().reason + ")";
    } else if (!gpu_.matrix_module().loaded() && gpu_.matrix_module().code() != gpu_code::kNoBinary) {
      reason_ = "the driver took none of the images with matrix kernels (" + gpu_.matrix_module().refused() + ")";
    } else {
      reason_ = std::string("this build has no ") + spec_of(type).name + " kernel for " + gpu_.device().architecture;
    }
  }

  GpuRun& run_;
  GpuContext& gpu_;
  std::string reason_;
  std::vector<Refused> refused_;
};

}  // namespace

std::unique_ptr<GemmEngine> make_own_engine(GpuRun& run) { return std::make_unique<OwnEngine>(run); }

}  // namespace gpumark
