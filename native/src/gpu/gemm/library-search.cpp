#include "gpu/gemm/library-search.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "library-names.h"

namespace gpumark {
namespace {

namespace fs = std::filesystem;

/** Of one folder. More Pythons, CUDAs or ROCms than that are no machine's. */
constexpr std::size_t kMaxMatches = 64;
constexpr std::size_t kMaxEntries = 4096;
constexpr int kNewestCublasLt = 18, kNewestHipblasLt = 6;

const std::vector<std::string>& library_names(GpuVendor vendor) {
  // Well ahead of what there is (13, and 1 since ROCm 7), so that the next release is found. What answers otherwise
  // than these calls expect is found out: a library without them is passed over, and each of its products is proven.
  static const std::vector<std::string> cuda = versioned_names("libcublasLt", kNewestCublasLt, 11);
  // PyTorch's packages for ROCm drop the number.
  static const std::vector<std::string> hip = versioned_names("libhipblaslt", kNewestHipblasLt, 0);
  return vendor == GpuVendor::nvidia ? cuda : hip;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

bool is_absolute(const std::string& path) { return !path.empty() && path.front() == '/'; }

int major_of(const std::string& name) {
  const std::size_t at = name.find(".so.");
  if (at == std::string::npos || at + 4 >= name.size() || name[at + 4] < '0' || name[at + 4] > '9') return -1;
  return std::atoi(name.c_str() + at + 4);
}

/** Folders in `folder` whose names begin so, the last name first: "cuda-13.0" before "cuda-12.4". */
std::vector<std::string> folders_like(const std::string& folder, const std::string& beginning) {
  std::vector<std::string> found;
  std::error_code ignored;
  std::size_t seen = 0;
  for (fs::directory_iterator at(folder, ignored), end;
       !ignored && at != end && seen < kMaxEntries && found.size() < kMaxMatches; at.increment(ignored), ++seen) {
    const std::string name = at->path().filename().string();
    std::error_code not_there;
    if (name.rfind(beginning, 0) == 0 && fs::is_directory(at->path(), not_there)) found.push_back(at->path().string());
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

class Places {
 public:
  explicit Places(GpuVendor vendor) : nvidia_(vendor == GpuVendor::nvidia) {}

  void add(const std::string& folder) {
    if (is_absolute(folder) && seen_.insert(folder).second) folders_.push_back(folder);
  }
  /** A CUDA or ROCm home, or a prefix of conda, which keeps libraries as CUDA homes do. */
  void add_home(const std::string& home) {
    if (nvidia_) {
      for (const char* folder : {"/lib64", "/lib", "/targets/x86_64-linux/lib", "/targets/sbsa-linux/lib"})
        add(home + folder);
    } else {
      for (const char* folder : {"/lib", "/lib64"}) add(home + folder);
    }
  }
  /** A prefix with Pythons in it: lib/python3.12/site-packages and what the vendors' packages make below. */
  void add_pythons(const std::string& library_folder) {
    if (!is_absolute(library_folder)) return;
    for (const std::string& python : folders_like(library_folder, "python3")) {
      for (const char* packages : {"/site-packages", "/dist-packages"}) add_packages(python + packages);
    }
  }

  const std::vector<std::string>& folders() const { return folders_; }

 private:
  void add_packages(const std::string& packages) {
    std::error_code not_there;
    if (!fs::is_directory(packages, not_there)) return;
    if (nvidia_) {
      // "cu13", "cu14"; CUDA 12 and before have a package per library, "cublas" among them.
      for (const std::string& folder : folders_like(packages + "/nvidia", "cu1")) add(folder + "/lib");
      add(packages + "/nvidia/cublas/lib");
    } else {
      // ROCm's own packages: _rocm_sdk_libraries_gfx94X_dcgpu and the like.
      for (const std::string& folder : folders_like(packages, "_rocm_sdk_libraries")) add(folder + "/lib");
    }
    add(packages + "/torch/lib");
  }

  bool nvidia_;
  std::vector<std::string> folders_;
  std::set<std::string> seen_;
};

std::vector<std::string> default_folders(GpuVendor vendor, const SearchEnvironment& env) {
  Places places(vendor);
  const bool nvidia = vendor == GpuVendor::nvidia;
  for (const std::string& home : nvidia ? env.cuda_homes : env.rocm_homes) {
    if (is_absolute(home)) places.add_home(home);
  }
  const std::string parent = env.root + (nvidia ? "/usr/local" : "/opt");
  const std::string name = nvidia ? "cuda" : "rocm";
  places.add_home(parent + "/" + name);
  for (const std::string& home : folders_like(parent, name + "-")) places.add_home(home);
  for (const std::string& prefix : env.python_prefixes) {
    // Conda's own packages lie beside its Python.
    if (is_absolute(prefix)) places.add(prefix + "/lib");
    places.add_pythons(prefix + "/lib");
  }
  places.add(env.root + "/opt/conda/lib");
  for (const char* folder : {"/opt/conda/lib", "/usr/local/lib", "/usr/lib"}) places.add_pythons(env.root + folder);
  if (is_absolute(env.home)) places.add_pythons(env.home + "/.local/lib");
  return places.folders();
}

/** The file itself, so that links to it count once. Empty where there is none. */
std::string real_file(const std::string& path) {
  std::error_code wrong;
  if (!fs::is_regular_file(path, wrong) || wrong) return "";
  const fs::path real = fs::canonical(path, wrong);
  return wrong ? path : real.string();
}

/** Given files and folders only; a folder may also be a home with the libraries one below. */
LibrarySearch search_given(GpuVendor vendor, const std::string& blas_path) {
  LibrarySearch search;
  std::set<std::string> seen;
  for (const std::string& entry : split(blas_path, ':')) {
    search.places.push_back(entry);
    // Relative names would make the current folder count.
    if (!is_absolute(entry)) continue;
    const std::string name = fs::path(entry).filename().string();
    if (name.rfind(library_stem(vendor), 0) == 0) {
      if (!real_file(entry).empty() && seen.insert(real_file(entry)).second)
        search.candidates.push_back({entry, major_of(name)});
      continue;
    }
    for (const std::string& file : library_names(vendor)) {
      for (const char* below : {"/", "/lib64/", "/lib/"}) {
        const std::string path = entry + below + file;
        if (!real_file(path).empty() && seen.insert(real_file(path)).second)
          search.candidates.push_back({path, major_of(file)});
      }
    }
  }
  std::stable_sort(search.candidates.begin(), search.candidates.end(),
                   [](const auto& a, const auto& b) { return a.major > b.major; });
  return search;
}

}  // namespace

SearchEnvironment SearchEnvironment::of_process() {
  SearchEnvironment env;
  const auto take = [](const char* variable, std::vector<std::string>& list) {
    const char* value = std::getenv(variable);
    if (value && *value) list.push_back(value);
  };
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) take(variable, env.cuda_homes);
  for (const char* variable : {"ROCM_PATH", "HIP_PATH"}) take(variable, env.rocm_homes);
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) take(variable, env.python_prefixes);
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path ? path : "", ':')) {
    std::error_code not_there;
    const fs::path python = fs::path(folder) / "python3";
    if (env.python_prefixes.size() < kMaxMatches && is_absolute(folder) && fs::exists(python, not_there))
      env.python_prefixes.push_back(fs::path(folder).parent_path().string());
  }
  if (const char* given = std::getenv("GPUMARK_BLAS_PATH")) env.blas_path = given;
  if (const char* home = std::getenv("HOME")) env.home = home;
  return env;
}

const char* library_stem(GpuVendor vendor) { return vendor == GpuVendor::nvidia ? "libcublasLt" : "libhipblaslt"; }

LibrarySearch search_library(GpuVendor vendor, const SearchEnvironment& environment) {
  if (!environment.blas_path.empty()) return search_given(vendor, environment.blas_path);
  LibrarySearch search;
  search.places.push_back("the loader's path");
  const std::vector<std::string> folders = default_folders(vendor, environment);
  search.places.insert(search.places.end(), folders.begin(), folders.end());
  std::set<std::string> seen;
  for (const std::string& name : library_names(vendor)) {
    search.candidates.push_back({name, major_of(name)});
    for (const std::string& folder : folders) {
      const std::string path = folder + "/" + name;
      const std::string real = real_file(path);
      if (!real.empty() && seen.insert(real).second) search.candidates.push_back({path, major_of(name)});
    }
  }
  return search;
}

}  // namespace gpumark
