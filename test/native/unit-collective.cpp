// What the ranks of a collective put in and take out, and where its libraries are looked for.
#include <cmath>

#include "gpu/library-search.h"
#include "collective/data-pattern.h"
#include "fake-tree.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

void sums_are_exact() {
  const std::vector<float> sums = summed_values(kMaxRanks);
  float largest = 0;
  bool whole = true;
  for (const float sum : sums) {
    largest = std::max(largest, sum);
    whole = whole && sum == std::floor(sum);
  }
  check(whole && largest < 16777216.0f && largest > 4e6f, "sums of 16,384 ranks are whole numbers below 2^24");
  // 1,024 values per rank: alike in one of 1,024 places by chance.
  int alike = 0;
  const std::vector<float> first = rank_values(0), other = rank_values(1);
  for (std::size_t c = 0; c < kPatternClasses; ++c) alike += first[c] == other[c] ? 1 : 0;
  check(alike < 10, "two ranks hold different numbers");
}

std::uint64_t wrong_in(const std::vector<float>& found, std::uint64_t& place) {
  return count_wrong(found.data(), found.size(), 0, summed_values(4), place);
}

void errors_are_found() {
  std::vector<float> right(1 << 16);
  fill_pattern(right.data(), right.size(), 0, summed_values(4));
  std::uint64_t place = 0;
  check(wrong_in(right, place) == 0, "what is right is not wrong");
  std::vector<float> one = right;
  one[40000] = std::nextafter(one[40000], 1e9f);
  check(wrong_in(one, place) == 1 && place == 40000,
        "the least possible difference of one element is found, and where");
  one[123] = NAN;
  check(wrong_in(one, place) == 2 && place == 123, "a NaN is found");
  for (const std::size_t block : {256, 4096, 16384}) {
    std::vector<float> shifted = right;
    for (std::size_t i = 0; i + block < right.size(); ++i) shifted[i] = right[i + block];
    check(wrong_in(shifted, place) > right.size() / 4, "data in another block's place is found");
  }
  std::vector<float> tail(1000);
  fill_pattern(tail.data(), tail.size(), 5000, summed_values(4));
  check(count_wrong(tail.data(), tail.size(), 5000, summed_values(4), place) == 0,
        "a part is compared by its place in the whole");
}

void libraries_are_searched() {
  const FakeTree tree;
  SearchEnvironment env;
  env.root = tree.root();
  env.python_prefixes = {tree.root() + "/venv", "relative"};
  tree.put("usr/local/cuda-13.0/lib64/libnccl.so.2", "");
  tree.put("venv/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2", "");
  tree.put("opt/rocm-7.0.2/lib/librccl.so.1", "");
  const auto search = [&](const char* backend, const std::string& given) {
    const Vendor& vendor = *find_vendor(backend);
    return search_library(vendor.collective, vendor.toolkit, env, vendor.collective_variable, given);
  };
  const auto paths = [&](const char* backend, const std::string& given) {
    std::vector<std::string> found;
    for (const auto& [path, major] : search(backend, given).candidates)
      found.push_back(path.rfind(tree.root(), 0) == 0 ? path.substr(tree.root().size()) : path);
    return found;
  };
  using Paths = std::vector<std::string>;
  check(paths("cuda", "") == Paths{"libnccl.so.2", "/usr/local/cuda-13.0/lib64/libnccl.so.2",
                                   "/venv/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2"},
        "NCCL: the loader's path, toolkits, Pythons");
  check(paths("rocm", "") == Paths{"librccl.so.4", "librccl.so.3", "librccl.so.2", "librccl.so.1",
                                   "/opt/rocm-7.0.2/lib/librccl.so.1", "librccl.so"},
        "RCCL: with its number first");
  for (const std::string& place : search("cuda", "").places)
    check(place.front() == '/' || place == "the loader's path", "no place depends on the current folder");
  check(paths("cuda", tree.root() + "/usr/local/cuda-13.0:libnccl.so.2") ==
            Paths{"/usr/local/cuda-13.0/lib64/libnccl.so.2"},
        "a given home has its library one below; a bare name is ignored");
}

}  // namespace

void check_collective() {
  sums_are_exact();
  errors_are_found();
  libraries_are_searched();
}
