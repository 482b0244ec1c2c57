// The vendor's matrix library as an engine.
#include <algorithm>
#include <cstdio>

#include "gpu/gemm/gemm-engine.h"
#include "gpu/gemm/vendor-product.h"
#include "gpu/gpu-memory.h"

namespace gpumark {
namespace {

/** The workspace is at most 1/64 of the memory, which matters only on small partitions. */
constexpr std::size_t kMemoryShare = 64;
constexpr std::size_t kAlignment = 256;

std::string hexadecimal(std::uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

/** State shared by all candidates of one engine; outlives the engine while a candidate is kept. */
struct VendorSession {
  VendorSession(GpuContext& context, std::shared_ptr<VendorLibrary> loaded) : gpu(context), library(std::move(loaded)) {
    const std::size_t wanted = library->dialect().workspace_bytes;
    const std::size_t share = gpu.device().memory_bytes / kMemoryShare / kAlignment * kAlignment;
    workspace_bytes = share > 0 ? std::min(wanted, share) : wanted;
  }
  DevicePointer workspace() {
    if (!memory) memory = std::make_unique<GpuMemory>(gpu, workspace_bytes);
    return memory->address();
  }

  GpuContext& gpu;
  std::shared_ptr<VendorLibrary> library;
  std::size_t workspace_bytes = 0;
  std::unique_ptr<GpuMemory> memory;
};

class VendorCandidate final : public GemmCandidate {
 public:
  struct Description {
    std::string algorithm;
    std::optional<std::uint64_t> numerics;
    GemmType type = GemmType::fp32;
    /** How many proposals of the library comply with the type. */
    std::size_t proposed = 0;
  };

  VendorCandidate(std::shared_ptr<VendorSession> session, std::shared_ptr<VendorProduct> product,
                  VendorAlgorithm algorithm, Description description)
      : session_(std::move(session)),
        product_(std::move(product)),
        algorithm_(std::move(algorithm)),
        description_(std::move(description)) {}

  void enqueue(const GemmOperands& operands) override {
    product_->multiply(operands, algorithm_, session_->workspace(), session_->workspace_bytes, session_->gpu.stream());
  }
  std::string path() const override { return session_->library->dialect().prefix; }
  std::string algorithm() const override { return description_.algorithm; }
  bool is_first_proposal() const override { return algorithm_.index == 0; }

  void add_details(JsonObject& details) const override {
    const VendorLibrary& library = *session_->library;
    details.text("library", library.name())
        .text("library_path", library.path())
        .text("version", library.version().text());
    details.integer("candidate", algorithm_.index)
        .integer("proposed", static_cast<std::int64_t>(description_.proposed));
    details.integer("workspace_bytes", static_cast<std::int64_t>(algorithm_.workspace_bytes));
    details.integer("workspace_limit_bytes", static_cast<std::int64_t>(session_->workspace_bytes))
        .number("waves", algorithm_.waves);
    if (description_.numerics) details.text("numerical_flags", hexadecimal(*description_.numerics));
    if (description_.type == GemmType::fp8) {
      details.text("output_type", "bf16").text("scales", "1");
      if (library.has_fast_accumulation()) details.boolean("fast_accumulation", product_->types().fast_accumulation);
    }
    if (is_block_scaled(description_.type))
      details.text("output_type", "bf16")
          .text("scales", description_.type == GemmType::nvfp4 ? "UE4M3 per 16" : "UE8M0 per 32");
    if (library.simulated()) details.boolean("simulated", true);
  }

 private:
  std::shared_ptr<VendorSession> session_;
  std::shared_ptr<VendorProduct> product_;
  VendorAlgorithm algorithm_;
  Description description_;
};

class VendorEngine final : public GemmEngine {
 public:
  explicit VendorEngine(GpuContext& gpu) : gpu_(gpu) {}
  const char* name() const override { return "vendor"; }
  std::string reason() const override { return reason_; }
  Absence absence() const override { return session_ ? Absence::hardware : Absence::failed; }
  std::vector<Refused> refused() const override { return refused_; }

  GemmCandidates candidates(GemmType type, const GemmShape& shape) override {
    reason_.clear();
    refused_.clear();
    gpu_.enter();
    if (!load()) return {};
    const VendorLibrary& library = *session_->library;
    const VendorNames names = library.names(type, gpu_.device().architecture);
    reason_ = names.reason;
    GemmCandidates found;
    for (const VendorTypes& types : names.types) {
      found = candidates_of(type, types, shape);
      if (!found.empty()) break;
    }
    return found;
  }

 private:
  /** Tried once: a library that does not start now will not start later. */
  bool load() {
    if (!tried_) {
      tried_ = true;
      if (auto library = VendorLibrary::open(gpu_.driver(), SearchEnvironment::of_process(), unloaded_))
        session_ = std::make_shared<VendorSession>(gpu_, library);
    }
    if (!session_) reason_ = unloaded_;
    return session_ != nullptr;
  }

  GemmCandidates candidates_of(GemmType type, const VendorTypes& types, const GemmShape& shape) {
    const VendorLibrary& library = *session_->library;
    const auto product = std::make_shared<VendorProduct>(session_->library, types, shape);
    std::vector<VendorAlgorithm> proposed;
    if (product->declined().empty()) proposed = product->propose(session_->workspace_bytes);
    const auto strays = [&](const VendorAlgorithm& one) {
      const std::optional<std::uint64_t> flags = library.algorithm_numerics(one);
      if (keeps_to_type(type, flags)) return false;
      refused_.push_back({library.algorithm_text(one), std::string("it does not multiply with the instructions of ") +
                                                           spec_of(type).name + " (flags " +
                                                           hexadecimal(flags.value_or(0)) + ")"});
      return true;
    };
    proposed.erase(std::remove_if(proposed.begin(), proposed.end(), strays), proposed.end());
    if (proposed.empty()) {
      reason_ = library.name() + " (" + library.version().text() + ") has no algorithm for " + spec_of(type).name +
                " of this shape on " + gpu_.device().architecture;
      if (!product->declined().empty()) reason_ += ": " + product->declined();
      if (!refused_.empty())
        reason_ += ": none of the " + std::to_string(refused_.size()) +
                   " that it proposes multiplies with the instructions of that type";
      return {};
    }
    GemmCandidates found;
    for (VendorAlgorithm& algorithm : proposed) {
      VendorCandidate::Description description{library.algorithm_text(algorithm), library.algorithm_numerics(algorithm),
                                               type, proposed.size()};
      found.push_back(
          std::make_unique<VendorCandidate>(session_, product, std::move(algorithm), std::move(description)));
    }
    // Allocated now, so that trials allocate nothing.
    session_->workspace();
    reason_.clear();
    return found;
  }

  GpuContext& gpu_;
  std::shared_ptr<VendorSession> session_;
  bool tried_ = false;
  std::string unloaded_, reason_;
  std::vector<Refused> refused_;
};

}  // namespace

std::unique_ptr<GemmEngine> make_vendor_engine(GpuContext& gpu) { return std::make_unique<VendorEngine>(gpu); }

}  // namespace gpumark
