// Runs matrix kernels of the registry on the host, for many shapes, and compares every element with the product in
// fp64.
//   numerics --layouts amd     the position of each element in AMD's instructions
//   numerics [--kernel NAME] [--random SHAPES] [--seed N]
// Exit 1: something is wrong; 2: no kernel of that name, or bad arguments.
// The instructions are emulated in C++ (native/device/matrix): this tests addresses, layouts and synchronisation, not
// the hardware.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "numerics/bounds.h"
#include "numerics/check-issue.h"
#include "numerics/check-product.h"
#include "numerics/print-layouts.h"
#include "random-words.h"

namespace {

using namespace gpumark::numerics;

#define GPUMARK_ROW(kernel, family, type, tile_m, tile_n, tile_k, stages, threads, cluster, shared) \
  {#kernel, #family, #type, tile_m, tile_n, tile_k, stages, threads, cluster, shared},
const std::vector<Row> kRows = {GPUMARK_MATRIX_GEMMS(GPUMARK_ROW)};

struct Options {
  std::string kernel;
  unsigned random = 3;
  std::uint64_t seed = 1;
  bool layouts = false;
};

bool read_options(int count, char** words, Options* options) {
  for (int i = 1; i < count; i += 2) {
    const std::string name = words[i];
    if (i + 1 == count) return false;
    if (name == "--kernel")
      options->kernel = words[i + 1];
    else if (name == "--random")
      options->random = static_cast<unsigned>(std::atoi(words[i + 1]));
    else if (name == "--seed")
      options->seed = static_cast<std::uint64_t>(std::atoll(words[i + 1]));
    else if (name == "--layouts" && std::string(words[i + 1]) == "amd")
      options->layouts = true;
    else
      return false;
  }
  return true;
}

/**
 * Whole tiles, the smallest shape, one more than a tile, a strip, more rows of tiles than a band has, random shapes.
 */
std::vector<Shape> shapes_for(const Row& row, const Options& options) {
  const std::uint32_t m = row.tile_m, n = row.tile_n;
  // Twice all stages and one more, so that every buffer is reused.
  const std::uint32_t around = (row.tile_k * (2 * row.stages + 1) + 63) / 64 * 64,
                      deep = around < kMostDepth ? around : kMostDepth;
  std::vector<Shape> shapes = {
      {m, n, 64},          {m, n, deep},           {1, 8, 64}, {m + 1, n + 8, 128}, {2 * m - 37, 8, 192},
      {5, 2 * n + 8, 320}, {16 * m + 3, n + 8, 64}};
  for (unsigned i = 0; i < options.random; ++i) {
    const auto below = [&](std::uint32_t limit, unsigned which) {
      return static_cast<std::uint32_t>(gpumark::random_word(options.seed, 3 * i + which) % limit);
    };
    shapes.push_back(
        {1 + below(2 * m + m / 2, 0), 8 * (1 + below(2 * n / 8, 1)), 64 * (1 + below(kMostDepth / 64, 2))});
  }
  // With 4-bit numbers, k must be a multiple of 128.
  if (std::string(row.type).find("fp4") != std::string::npos) {
    for (Shape& shape : shapes) shape.k = shape.k % 128 ? shape.k + 64 : shape.k;
  }
  return shapes;
}

/** @returns the number of shapes with wrong results */
unsigned check_row(const Row& row, const Options& options) {
  unsigned wrong = 0;
  for (const Shape& shape : shapes_for(row, options)) {
    // Printed first, because a kernel that reads or writes beyond an array ends the process.
    std::printf("%s %ux%ux%u ", row.kernel, shape.m, shape.n, shape.k);
    std::fflush(stdout);
    const Outcome outcome = check_product(row, shape, options.seed);
    if (outcome.problem.empty())
      std::printf("ok %.4f of the bound\n", outcome.worst);
    else
      std::printf("FAILED %s\n", outcome.problem.c_str());
    wrong += !outcome.problem.empty();
  }
  return wrong;
}

}  // namespace

int main(int count, char** words) {
  Options options;
  if (!read_options(count, words, &options)) {
    std::fprintf(stderr, "numerics [--kernel NAME] [--random SHAPES] [--seed N]\n");
    return 2;
  }
  if (options.layouts) {
    print_layouts();
    return 0;
  }
  unsigned wrong = 0, rows = 0;
  for (const Row& row : kRows) {
    if (!options.kernel.empty() && options.kernel != row.kernel) continue;
    ++rows;
    wrong += check_row(row, options);
  }
  const IssueCounts probes = check_issue_probes(options.kernel);
  std::printf("%u kernels, %u probe runs, %u wrong\n", rows, probes.checked, wrong + probes.wrong);
  if (!options.kernel.empty() && rows + probes.checked == 0) return 2;
  return wrong + probes.wrong ? 1 : 0;
}
