// Where a vendor's matrix library is looked for, on a made-up machine.
#include <algorithm>
#include <filesystem>

#include "fake-tree.h"
#include "gpu/library-search.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

using Paths = std::vector<std::string>;

/** Bare names of releases that there are not yet, which the loader is asked for first. */
Paths releases_to_come(const std::string& stem, int newest, int oldest) {
  Paths names;
  for (int version = newest; version >= oldest; --version) names.push_back(stem + ".so." + std::to_string(version));
  return names;
}
Paths joined(Paths first, const Paths& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

Paths paths_of(const LibrarySearch& search, const std::string& root) {
  Paths paths;
  for (const LibraryCandidate& candidate : search.candidates) {
    const bool inside = candidate.path.rfind(root, 0) == 0;
    paths.push_back(inside ? candidate.path.substr(root.size()) : candidate.path);
  }
  return paths;
}

LibrarySearch search_blas(const char* backend, const SearchEnvironment& env, const std::string& given = "") {
  const Vendor& vendor = *find_vendor(backend);
  return search_library(vendor.blas, vendor.toolkit, env, "GPUMARK_BLAS_PATH", given);
}

void cuda_order() {
  const FakeTree tree;
  SearchEnvironment env;
  env.root = tree.root();
  env.variables = {{"CUDA_HOME", tree.root() + "/home/cuda"}};
  env.python_prefixes = {tree.root() + "/venv"};
  env.home = tree.root() + "/home/user";
  tree.put("home/cuda/lib64/libcublasLt.so.12", "");
  tree.put("usr/local/cuda-12.4/lib64/libcublasLt.so.12", "");
  tree.put("usr/local/cuda-13.1/targets/x86_64-linux/lib/libcublasLt.so.13", "");
  tree.put("usr/local/cuda-11.8/lib64/libcublasLt.so.11", "");
  tree.put("venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcublasLt.so.13", "");
  tree.put("venv/lib/python3.12/site-packages/nvidia/cublas/lib/libcublasLt.so.12", "");
  tree.put("home/user/.local/lib/python3.11/site-packages/torch/lib/libcublasLt.so.11", "");
  tree.put("usr/lib/python3/dist-packages/torch/lib/libcublasLt.so.12", "");
  tree.put("somewhere/libcublasLt.so.13", "");
  // A second path to a file is not a second candidate.
  std::filesystem::create_directories(tree.root() + "/usr/local/cuda-13.1/lib64");
  std::filesystem::create_symlink("../targets/x86_64-linux/lib/libcublasLt.so.13",
                                  tree.root() + "/usr/local/cuda-13.1/lib64/libcublasLt.so.13");
  const Paths expected = joined(releases_to_come("libcublasLt", 18, 14),
                                {
                                    "libcublasLt.so.13",
                                    "/usr/local/cuda-13.1/lib64/libcublasLt.so.13",
                                    "/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcublasLt.so.13",
                                    "libcublasLt.so.12",
                                    "/home/cuda/lib64/libcublasLt.so.12",
                                    "/usr/local/cuda-12.4/lib64/libcublasLt.so.12",
                                    "/venv/lib/python3.12/site-packages/nvidia/cublas/lib/libcublasLt.so.12",
                                    "/usr/lib/python3/dist-packages/torch/lib/libcublasLt.so.12",
                                    "libcublasLt.so.11",
                                    "/usr/local/cuda-11.8/lib64/libcublasLt.so.11",
                                    "/home/user/.local/lib/python3.11/site-packages/torch/lib/libcublasLt.so.11",
                                    "libcublasLt.so",
                                });
  const LibrarySearch search = search_blas("cuda", env);
  check(paths_of(search, tree.root()) == expected,
        "cuBLASLt: the newest major version first, in one version the loader, homes, Pythons");
  check(search.candidates.at(6).major == 13 && search.candidates.at(8).major == 12,
        "the major version is read off the name");
  check(search.places.front() == "the loader's path" && search.places.size() > 8, "every place is listed");
}

void rocm_order() {
  const FakeTree tree;
  SearchEnvironment env;
  env.root = tree.root();
  tree.put("opt/rocm-6.4.1/lib/libhipblaslt.so.0", "");
  tree.put("opt/rocm-7.0.2/lib/libhipblaslt.so.1", "");
  tree.put("opt/conda/lib/python3.12/site-packages/torch/lib/libhipblaslt.so", "");
  tree.put("usr/local/lib/python3.12/dist-packages/_rocm_sdk_libraries_gfx94X_dcgpu/lib/libhipblaslt.so.1", "");
  tree.put("usr/local/cuda-13.1/lib64/libcublasLt.so.13", "");
  const Paths expected =
      joined(releases_to_come("libhipblaslt", 6, 2),
             {
                 "libhipblaslt.so.1",
                 "/opt/rocm-7.0.2/lib/libhipblaslt.so.1",
                 "/usr/local/lib/python3.12/dist-packages/_rocm_sdk_libraries_gfx94X_dcgpu/lib/libhipblaslt.so.1",
                 "libhipblaslt.so.0",
                 "/opt/rocm-6.4.1/lib/libhipblaslt.so.0",
                 "libhipblaslt.so",
                 "/opt/conda/lib/python3.12/site-packages/torch/lib/libhipblaslt.so",
             });
  check(paths_of(search_blas("rocm", env), tree.root()) == expected,
        "hipBLASLt: ROCm 7's name, ROCm 5's and 6's, the name without a number");
}

void a_release_to_come() {
  const FakeTree tree;
  SearchEnvironment env;
  env.root = tree.root();
  tree.put("opt/rocm-10.0.0/lib/libhipblaslt.so.2", "");
  tree.put("usr/local/cuda-14.0/lib64/libcublasLt.so.14", "");
  tree.put("usr/lib/python3/dist-packages/nvidia/cu14/lib/libcublasLt.so.14", "");
  const auto has = [&](const char* vendor, const std::string& path) {
    const Paths paths = paths_of(search_blas(vendor, env), tree.root());
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  };
  check(has("rocm", "/opt/rocm-10.0.0/lib/libhipblaslt.so.2"), "hipBLASLt's next number is found without a new build");
  check(has("cuda", "/usr/local/cuda-14.0/lib64/libcublasLt.so.14"), "so is cuBLASLt's");
  check(has("cuda", "/usr/lib/python3/dist-packages/nvidia/cu14/lib/libcublasLt.so.14"),
        "and in the package of the next CUDA");
}

void hpc_sdk() {
  const FakeTree tree;
  SearchEnvironment env;
  env.root = tree.root();
  env.variables = {{"NVHPC_ROOT", tree.root() + "/shared/hpc_sdk/Linux_x86_64/26.3"}};
  tree.put("shared/hpc_sdk/Linux_x86_64/26.3/math_libs/lib64/libcublasLt.so.13", "");
  tree.put("opt/nvidia/hpc_sdk/Linux_x86_64/24.11/math_libs/lib64/libcublasLt.so.12", "");
  tree.put("opt/nvidia/hpc_sdk/Linux_x86_64/24.9/math_libs/lib64/libcublasLt.so.12", "");
  tree.put("opt/nvidia/hpc_sdk/Linux_x86_64/24.11/comm_libs/nccl/lib/libnccl.so.2", "");
  check(paths_of(search_blas("cuda", env), tree.root()) ==
            joined(releases_to_come("libcublasLt", 18, 14),
                   {"libcublasLt.so.13", "/shared/hpc_sdk/Linux_x86_64/26.3/math_libs/lib64/libcublasLt.so.13",
                    "libcublasLt.so.12", "/opt/nvidia/hpc_sdk/Linux_x86_64/24.11/math_libs/lib64/libcublasLt.so.12",
                    "/opt/nvidia/hpc_sdk/Linux_x86_64/24.9/math_libs/lib64/libcublasLt.so.12", "libcublasLt.so.11",
                    "libcublasLt.so"}),
        "cuBLASLt of the HPC SDK: NVHPC_ROOT, then the releases, 24.11 before 24.9");
  const Vendor& nvidia = *find_vendor("cuda");
  check(paths_of(search_library(nvidia.collective, nvidia.toolkit, env, "GPUMARK_NCCL_PATH", ""), tree.root()) ==
            Paths{"libnccl.so.2", "/opt/nvidia/hpc_sdk/Linux_x86_64/24.11/comm_libs/nccl/lib/libnccl.so.2"},
        "NCCL of the HPC SDK");
}

void given_paths() {
  const FakeTree tree;
  SearchEnvironment env;
  env.root = tree.root();
  tree.put("usr/local/cuda/lib64/libcublasLt.so.13", "");
  tree.put("given/libcublasLt.so.11", "");
  tree.put("given/lib64/libcublasLt.so.12", "");
  tree.put("other/libcublasLt.so.12.9.1", "");
  const std::string given = tree.root() + "/given:" + tree.root() + "/other/libcublasLt.so.12.9.1";
  const Paths both = {"/given/lib64/libcublasLt.so.12", "/other/libcublasLt.so.12.9.1", "/given/libcublasLt.so.11"};
  check(paths_of(search_blas("cuda", env, given), tree.root()) == both,
        "GPUMARK_BLAS_PATH takes files and folders, and nothing else is looked at");
  check(search_blas("rocm", env, given).candidates.empty(),
        "a folder of the other vendor's library is not searched for this one's");
  check(search_blas("cuda", env, ".:given:lib/libcublasLt.so.13").candidates.empty(),
        "a path that depends on the current folder is not followed");
  env.variables = {{"CUDA_HOME", "."}, {"CUDA_PATH", "relative/cuda"}};
  env.python_prefixes = {"venv"};
  for (const std::string& place : search_blas("cuda", env).places)
    check(place.front() == '/' || place == "the loader's path", "no place depends on the current folder");
}

}  // namespace

void check_vendor_search() {
  cuda_order();
  rocm_order();
  a_release_to_come();
  hpc_sdk();
  given_paths();
}
