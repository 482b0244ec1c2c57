#include <cstdio>

#include "commands.h"
#include "gpu/gemm/own-kernels.h"
#include "gpu/images.h"
#include "registry/metrics.h"

namespace gpumark {
namespace {

std::vector<JsonObject> benchmark_rows() {
  std::vector<JsonObject> rows;
  for (const BenchmarkSpec& spec : benchmarks()) {
    JsonObject seconds;
    seconds.number("quick", spec.quick_seconds)
        .number("standard", spec.standard_seconds)
        .number("soak", spec.soak_seconds);
    rows.push_back(JsonObject{}
                       .text("id", spec.id)
                       .texts("metrics", {spec.metrics.begin(), spec.metrics.end()})
                       .object("seconds", seconds));
  }
  return rows;
}

JsonObject metric_units() {
  JsonObject units;
  for (const MetricSpec& spec : metrics()) units.text(spec.name, spec.unit);
  return units;
}

/** Which benchmarks a backend has, and of the others why not. */
std::vector<JsonObject> backend_rows() {
  std::vector<JsonObject> rows;
  for (const auto& backend : all_backends()) {
    std::vector<std::string> has;
    JsonObject has_not;
    for (const BenchmarkSpec& spec : benchmarks()) {
      const char* reason = backend->why_not(spec);
      reason ? void(has_not.text(spec.id, reason)) : has.push_back(spec.id);
    }
    rows.push_back(JsonObject{}.text("name", backend->name()).texts("benchmarks", has).object("absent", has_not));
  }
  return rows;
}

/**
 * By the image that holds them: those of device/kernels.h, and of device/gemm-kernels.h the products and the probes.
 */
JsonObject kernel_tables() {
#define GPUMARK_NAME(kernel, Args) #kernel,
  const std::vector<std::string> portable = {GPUMARK_KERNELS(GPUMARK_NAME)};
#undef GPUMARK_NAME
  std::vector<JsonObject> products, probes;
  for (const OwnKernel& one : own_kernels()) {
    if (one.family == KernelFamily::simt) continue;
    JsonObject row;
    row.text("name", one.name).text("family", path_name(one.family)).text("type", spec_of(one.type).name);
    row.integer("tile_m", one.tile_m)
        .integer("tile_n", one.tile_n)
        .integer("tile_k", one.tile_k)
        .integer("stages", one.stages);
    products.push_back(
        row.integer("threads", one.threads).integer("cluster", one.cluster).integer("shared_bytes", one.shared_bytes));
  }
  for (const IssueKernel& one : issue_kernels()) {
    JsonObject row;
    row.text("name", one.name).text("family", path_name(one.family)).text("type", spec_of(one.type).name);
    probes.push_back(row.integer("threads", one.threads)
                         .integer("shared_bytes", one.shared_bytes)
                         .number("operations", one.operations));
  }
  JsonObject fma;
  fma.integer("chains", device::kFmaChains).integer("steps", device::kFmaSteps);
  return JsonObject{}
      .texts("portable", portable)
      .objects("products", products)
      .objects("probes", probes)
      .object("fma", fma);
}

}  // namespace

int print_registry() {
  JsonObject document =
      JsonObject{}.text("schema", kProtocol).objects("benchmarks", benchmark_rows()).object("metrics", metric_units());
  document.objects("backends", backend_rows()).object("kernels", kernel_tables());
  document.object("images",
                  JsonObject{}.texts("portable", image_names()).texts("matrix", image_names(ImageSet::matrix)));
  std::printf("%s\n", document.str().c_str());
  return std::fflush(stdout) == 0 ? kExitOk : kExitOutputLost;
}

}  // namespace gpumark
