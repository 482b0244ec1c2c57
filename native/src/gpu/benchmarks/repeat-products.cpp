#include "gpu/benchmarks/repeat-products.h"

#include "gpu/found-differences.h"
#include "gpu/gemm/gemm-engine.h"
#include "gpu/gpu-benchmark.h"
#include "gpu/gemm/gemm-proof.h"
#include "gpu/gemm/gemm-shape.h"
#include "gpu/gpu-check.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

/** Products between two reads of the comparison result: enough that waiting for the device is negligible. */
constexpr int kBatch = 8;
constexpr int kMostProofs = 8;

/** A product that was verified on this device. */
struct Chosen {
  std::unique_ptr<GemmEngine> engine;
  const char* engine_name = "";
  std::unique_ptr<GemmCandidate> candidate;
  std::unique_ptr<GemmData> data;
};

/** The first candidate that is right and repeats: bf16 by the vendor's library or ours, else fp16, else fp32. */
Chosen choose(GpuRun& run, const BenchmarkSpec& spec, double seconds) {
  for (const GemmType type : {GemmType::bf16, GemmType::fp16, GemmType::fp32}) {
    for (EngineSlot& slot : engines_of(run)) {
      GemmShape shape;
      if (!slot.engine || choose_cube(run, *slot.engine, type, seconds, shape) == SupportedSizes::none) continue;
      auto data = std::make_unique<GemmData>(run, type, shape, GemmFill::random, 0);
      int proofs = 0;
      for (auto& candidate : slot.engine->candidates(type, shape)) {
        if (++proofs > kMostProofs || stop_requested()) break;
        const GemmProof proof = prove_product(run, *candidate, *data, spec.id);
        if (proof.right && proof.repeats)
          return {std::move(slot.engine), slot.name, std::move(candidate), std::move(data)};
      }
    }
  }
  return {};
}

class Comparison {
 public:
  Comparison(GpuRun& run, const Chosen& chosen)
      : gpu_(run.gpu), chosen_(chosen), expected_(gpu_, chosen.data->c(0).bytes()), found_(gpu_) {
    chosen_.candidate->enqueue(chosen_.data->operands(0));
    const unsigned blocks = helper_blocks(gpu_);
    gpu_.launch(
        "gpumark_copy", blocks,
        device::CopyArgs{expected_.as<void>(), product().as<void>(), expected_.bytes() / device::kVectorBytes, blocks});
    gpu_.wait();
  }

  /** Runs one product, over the previous output or over a poison pattern that no product produces. */
  void repeat(bool poisoned) {
    if (poisoned) product().poison();
    chosen_.candidate->enqueue(chosen_.data->operands(0));
    const unsigned blocks = helper_blocks(gpu_);
    gpu_.launch("gpumark_compare", blocks,
                device::CompareArgs{product().as<void>(), expected_.as<void>(),
                                    expected_.bytes() / device::kVectorBytes, found_.address(), blocks});
  }
  FoundDifferences::Summary found() { return found_.take(); }

 private:
  const GpuMemory& product() const { return chosen_.data->c(0); }
  GpuContext& gpu_;
  const Chosen& chosen_;
  GpuMemory expected_;
  FoundDifferences found_;
};

}  // namespace

RepeatedProducts repeat_products(GpuRun& run, const BenchmarkSpec& spec, double seconds) {
  RepeatedProducts repeated;
  const Chosen chosen = choose(run, spec, seconds);
  if (!chosen.candidate) {
    repeated.details.text("reason", "no engine has a product here that is right and gives the same bits again");
    return repeated;
  }
  const GemmShape shape = chosen.data->shape();
  const GemmTypeSpec& type = spec_of(chosen.data->type());
  Comparison comparison(run, chosen);
  std::uint64_t bits = 0;
  std::vector<JsonObject> places;
  run.sensors.begin_load({"repeated products", 1});
  const double until = now_seconds() + seconds;
  while (!stop_requested() && (repeated.repetitions == 0 || now_seconds() < until)) {
    for (int i = 0; i < kBatch; ++i) comparison.repeat(i == 0);
    const FoundDifferences::Summary found = comparison.found();
    repeated.repetitions += kBatch;
    bits += found.bits;
    // How many products of the batch differed is unknown: at least one.
    repeated.different += found.words > 0;
    for (const FoundDifferences::Place& place : found.places) {
      if (places.size() < device::kFoundPlaces)
        places.push_back(JsonObject{}.text("offset", hexadecimal(place.offset)).text("bits", hexadecimal(place.bits)));
    }
  }
  const LoadPower power = run.sensors.end_load();
  const double terabytes = static_cast<double>(shape.bytes(type)) * static_cast<double>(repeated.repetitions) * 1e-12;
  repeated.details.text("type", type.name)
      .text("engine", chosen.engine_name)
      .text("path", chosen.candidate->path())
      .text("algorithm", chosen.candidate->algorithm())
      .integer("n", shape.n)
      .integer("repetitions", repeated.repetitions);
  repeated.details.integer("bits_flipped", static_cast<std::int64_t>(bits))
      .number("terabytes_processed", terabytes)
      .number("bit_flips_per_terabyte", static_cast<double>(bits) / terabytes);
  repeated.details.objects("places", places).number("average_watts", power.watts());
  return repeated;
}

}  // namespace gpumark
