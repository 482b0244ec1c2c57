#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "gpu/gemm/own-kernels.h"
#include "gpu/images.h"

namespace gpumark {
namespace {

JsonObject tier_seconds(const TierSeconds& seconds) {
  return JsonObject{}.number("quick", seconds.quick).number("standard", seconds.standard).number("soak", seconds.soak);
}

JsonObject benchmark_row(const BenchmarkSpec& spec) {
  std::vector<std::string> metrics;
  for (const Metric& metric : spec.metrics) metrics.push_back(metric.name);
  return JsonObject{}
      .text("id", spec.id)
      .texts("metrics", metrics)
      .object("seconds", tier_seconds(spec.tier_seconds))
      .number("turn_seconds", spec.turn_seconds)
      .boolean("spans", spec.spans);
}

/** Display text of each metric, in the order of a summary. */
std::vector<std::pair<const char*, JsonObject>> metric_rows() {
  std::vector<const BenchmarkSpec*> order;
  for (const BenchmarkSpec& spec : kBenchmarks) order.push_back(&spec);
  std::sort(order.begin(), order.end(), [](const auto* one, const auto* other) { return one->place < other->place; });
  std::vector<std::pair<const char*, JsonObject>> rows;
  for (const BenchmarkSpec* spec : order) {
    for (const Metric& metric : spec->metrics) {
      JsonObject row;
      row.text("unit", metric.unit).text("label", metric.label);
      metric.column ? row.text("column", metric.column) : row.null("column");
      metric.over_pieces ? row.text("over_pieces", metric.over_pieces) : row.null("over_pieces");
      rows.push_back({metric.name, row});
    }
  }
  return rows;
}

/** The times that the agent plans with, beside those of the benchmarks. */
JsonObject plan() {
  return JsonObject{}
      .object("warm_up_seconds", tier_seconds(kWarmUp))
      .object("matrix_seconds", tier_seconds(kMatrixSeconds));
}

/** `rows` as a JSON object or array, one row per line. */
std::string lines(char open, const std::vector<std::string>& rows, char close) {
  std::string text(1, open);
  for (const std::string& row : rows) text += (text.size() == 1 ? "\n    " : ",\n    ") + row;
  return text + "\n  " + close;
}

/** The benchmarks of each backend, and the reason for each that it lacks. */
std::vector<JsonObject> backend_rows() {
  std::vector<JsonObject> rows;
  for (const auto& backend : all_backends()) {
    std::vector<std::string> has;
    JsonObject has_not;
    for (const BenchmarkSpec& spec : kBenchmarks) {
      const char* reason = backend->why_not(spec);
      reason ? void(has_not.text(spec.id, reason)) : has.push_back(spec.id);
    }
    rows.push_back(JsonObject{}.text("name", backend->name()).texts("benchmarks", has).object("absent", has_not));
  }
  return rows;
}

/** Kernels by image: those of device/kernels.h, and the products and probes of device/gemm-kernels.h. */
JsonObject kernel_tables() {
#define GPUMARK_NAME(kernel, Args) #kernel,
  const std::vector<std::string> portable = {GPUMARK_KERNELS(GPUMARK_NAME)};
#undef GPUMARK_NAME
  std::vector<JsonObject> products, probes;
  for (const OwnKernel& one : own_kernels()) {
    if (one.portable) continue;
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

int print_tables() {
  std::vector<JsonObject> rows;
  for (const BenchmarkSpec& spec : kBenchmarks) rows.push_back(benchmark_row(spec));
  JsonObject metrics;
  for (const auto& [name, row] : metric_rows()) metrics.object(name, row);
  JsonObject document = JsonObject{}.text("schema", kProtocol).objects("benchmarks", rows).object("metrics", metrics);
  document.object("plan", plan()).objects("backends", backend_rows()).object("kernels", kernel_tables());
  document.object("images",
                  JsonObject{}.texts("portable", image_names()).texts("matrix", image_names(ImageSet::matrix)));
  std::printf("%s\n", document.str().c_str());
  return std::fflush(stdout) == 0 ? kExitOk : kExitOutputLost;
}

int print_registry() {
  std::vector<std::string> benchmarks, metrics;
  for (const BenchmarkSpec& spec : kBenchmarks) benchmarks.push_back(benchmark_row(spec).str());
  for (const auto& [name, row] : metric_rows()) metrics.push_back(json_quoted(name) + ": " + row.str());
  std::printf("{\n  \"benchmarks\": %s,\n  \"metrics\": %s,\n  \"plan\": %s\n}\n", lines('[', benchmarks, ']').c_str(),
              lines('{', metrics, '}').c_str(), plan().str().c_str());
  return std::fflush(stdout) == 0 ? kExitOk : kExitOutputLost;
}

}  // namespace gpumark
