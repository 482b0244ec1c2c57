#include "collective/collective-search.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "library-names.h"

namespace gpumark {
namespace {

namespace fs = std::filesystem;

/** Of one folder; no machine has more Pythons or toolkits. */
constexpr std::size_t kMaxEntries = 4096;
constexpr int kNewestRccl = 4;

/**
 * Both have kept their first number for good. NCCL 3 would be another interface, of which nothing is known; RCCL's
 * number is ROCm's, which changed that of other libraries from one release to the next, and PyTorch's packages for ROCm
 * drop it.
 */
const std::vector<std::string>& names_of(GpuVendor vendor) {
  static const std::vector<std::string> nccl = {"libnccl.so.2"};
  static const std::vector<std::string> rccl = versioned_names("librccl", kNewestRccl, 1);
  return vendor == GpuVendor::nvidia ? nccl : rccl;
}

bool is_absolute(const std::string& path) { return !path.empty() && path.front() == '/'; }

/** Folders in `folder` whose names begin so, the last name first: "rocm-7.0.2" before "rocm-6.4.1". */
std::vector<std::string> folders_like(const std::string& folder, const std::string& beginning) {
  std::vector<std::string> found;
  std::error_code ignored;
  std::size_t seen = 0;
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end && seen < kMaxEntries;
       at.increment(ignored), ++seen) {
    std::error_code not_there;
    if (at->path().filename().string().rfind(beginning, 0) == 0 && fs::is_directory(at->path(), not_there))
      found.push_back(at->path().string());
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

void add_pythons(GpuVendor vendor, const std::string& library_folder, std::vector<std::string>& folders) {
  for (const std::string& python : folders_like(library_folder, "python3")) {
    for (const char* kind : {"/site-packages", "/dist-packages"}) {
      const std::string packages = python + kind;
      std::error_code not_there;
      if (!fs::is_directory(packages, not_there)) continue;
      if (vendor == GpuVendor::nvidia) {
        folders.push_back(packages + "/nvidia/nccl/lib");
      } else {
        for (const std::string& sdk : folders_like(packages, "_rocm_sdk_libraries")) folders.push_back(sdk + "/lib");
      }
      folders.push_back(packages + "/torch/lib");
    }
  }
}

std::vector<std::string> folders_of(GpuVendor vendor, const SearchEnvironment& env) {
  const bool nvidia = vendor == GpuVendor::nvidia;
  std::vector<std::string> folders;
  std::vector<std::string> homes = nvidia ? env.cuda_homes : env.rocm_homes;
  const std::string parent = env.root + (nvidia ? "/usr/local" : "/opt"), name = nvidia ? "cuda" : "rocm";
  homes.push_back(parent + "/" + name);
  for (const std::string& home : folders_like(parent, name + "-")) homes.push_back(home);
  for (const std::string& home : homes) {
    for (const char* below : {"/lib64", "/lib"}) folders.push_back(home + below);
  }
  for (const std::string& prefix : env.python_prefixes) {
    folders.push_back(prefix + "/lib");
    add_pythons(vendor, prefix + "/lib", folders);
  }
  for (const char* folder : {"/opt/conda/lib", "/usr/local/lib", "/usr/lib"})
    add_pythons(vendor, env.root + folder, folders);
  if (is_absolute(env.home)) add_pythons(vendor, env.home + "/.local/lib", folders);
  std::set<std::string> seen;
  folders.erase(std::remove_if(folders.begin(), folders.end(),
                               [&](const std::string& one) { return !is_absolute(one) || !seen.insert(one).second; }),
                folders.end());
  return folders;
}

/** Adds the file unless it is not there, or known by another name. */
void add_file(const std::string& path, std::set<std::string>& seen, std::vector<std::string>& candidates) {
  std::error_code wrong;
  if (!fs::is_regular_file(path, wrong) || wrong) return;
  const fs::path real = fs::canonical(path, wrong);
  if (seen.insert(wrong ? path : real.string()).second) candidates.push_back(path);
}

CollectiveSearch search_given(GpuVendor vendor, const std::string& given) {
  CollectiveSearch search;
  std::set<std::string> seen;
  std::stringstream entries(given);
  for (std::string entry; std::getline(entries, entry, ':');) {
    if (entry.empty()) continue;
    search.places.push_back(entry);
    if (!is_absolute(entry)) continue;
    if (fs::path(entry).filename().string().rfind(std::string("lib") + collective_name(vendor), 0) == 0) {
      add_file(entry, seen, search.candidates);
      continue;
    }
    for (const std::string& name : names_of(vendor)) {
      for (const char* below : {"/", "/lib64/", "/lib/"}) add_file(entry + below + name, seen, search.candidates);
    }
  }
  return search;
}

}  // namespace

const char* collective_name(GpuVendor vendor) { return vendor == GpuVendor::nvidia ? "nccl" : "rccl"; }
const char* collective_variable(GpuVendor vendor) {
  return vendor == GpuVendor::nvidia ? "GPUMARK_NCCL_PATH" : "GPUMARK_RCCL_PATH";
}

CollectiveSearch search_collective(GpuVendor vendor, const SearchEnvironment& environment, const std::string& given) {
  if (!given.empty()) return search_given(vendor, given);
  CollectiveSearch search;
  search.places.push_back("the loader's path");
  const std::vector<std::string> folders = folders_of(vendor, environment);
  search.places.insert(search.places.end(), folders.begin(), folders.end());
  std::set<std::string> seen;
  for (const std::string& name : names_of(vendor)) {
    search.candidates.push_back(name);
    for (const std::string& folder : folders) add_file(folder + "/" + name, seen, search.candidates);
  }
  return search;
}

}  // namespace gpumark
