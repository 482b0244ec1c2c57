#include "gpu/library-search.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

namespace gpumark {
namespace {

namespace fs = std::filesystem;

/** No machine has more installations of Python. */
constexpr std::size_t kMaxPrefixes = 64;

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

/** The folders to search for a library, each once, in search order. */
class Places {
 public:
  explicit Places(const InstalledLibrary& installed) : installed_(installed) {}

  void add(const std::string& folder) {
    if (is_absolute(folder) && seen_.insert(folder).second) folders_.push_back(folder);
  }
  /** A toolkit's home, or a conda prefix, which has the same layout. */
  void add_home(const std::string& home) {
    if (!is_absolute(home)) return;
    for (const char* folder : installed_.home_folders) add(home + folder);
  }
  /** A prefix with Python installations: lib/python3.12/site-packages and the vendors' package folders below it. */
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
    for (const InstalledLibrary::PackageFolder& one : installed_.package_folders) {
      if (!*one.beginning) add(packages + one.parent);
      if (!*one.beginning) continue;
      for (const std::string& folder : folders_like(packages + one.parent, one.beginning)) add(folder + one.below);
    }
    add(packages + "/torch/lib");
  }

  const InstalledLibrary& installed_;
  std::vector<std::string> folders_;
  std::set<std::string> seen_;
};

std::vector<std::string> default_folders(const InstalledLibrary& installed, const Toolkit& toolkit,
                                         const SearchEnvironment& env) {
  Places places(installed);
  for (const std::string& home : homes_of(toolkit, env.variables, env.root)) places.add_home(home);
  for (const std::string& prefix : env.python_prefixes) {
    // Conda's own packages are in the prefix's lib.
    if (is_absolute(prefix)) places.add(prefix + "/lib");
    places.add_pythons(prefix + "/lib");
  }
  if (installed.in_conda) places.add(env.root + "/opt/conda/lib");
  for (const char* folder : {"/opt/conda/lib", "/usr/local/lib", "/usr/lib"}) places.add_pythons(env.root + folder);
  if (is_absolute(env.home)) places.add_pythons(env.home + "/.local/lib");
  return places.folders();
}

/** The path with links resolved, so that links to one file count once. Empty if there is no such file. */
std::string real_file(const std::string& path) {
  std::error_code wrong;
  if (!fs::is_regular_file(path, wrong) || wrong) return "";
  const fs::path real = fs::canonical(path, wrong);
  return wrong ? path : real.string();
}

/** Searches only the given files and folders; a folder may also be a home with the libraries one level below. */
void search_given(const LibraryNames& library, LibrarySearch& search) {
  std::set<std::string> seen;
  const auto add = [&](const std::string& path, const std::string& name) {
    if (!real_file(path).empty() && seen.insert(real_file(path)).second)
      search.candidates.push_back({path, major_of(name)});
  };
  for (const std::string& entry : split(search.given, ':')) {
    search.places.push_back(entry);
    // Relative paths would search the current folder.
    if (!is_absolute(entry)) continue;
    const std::string name = fs::path(entry).filename().string();
    if (name.rfind(library.stem, 0) == 0) {
      add(entry, name);
      continue;
    }
    for (const std::string& file : library.names()) {
      for (const char* below : {"/", "/lib64/", "/lib/"}) add(entry + below + file, file);
    }
  }
  std::stable_sort(search.candidates.begin(), search.candidates.end(),
                   [](const auto& a, const auto& b) { return a.major > b.major; });
}

}  // namespace

SearchEnvironment SearchEnvironment::of_process() {
  SearchEnvironment env;
  const auto value_of = [](const char* variable) {
    const char* value = std::getenv(variable);
    return std::string(value ? value : "");
  };
  for (const Vendor* vendor : vendors()) env.variables.merge(variables_of(vendor->toolkit));
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (!value_of(variable).empty()) env.python_prefixes.push_back(value_of(variable));
  }
  for (const std::string& folder : split(value_of("PATH"), ':')) {
    std::error_code not_there;
    const fs::path python = fs::path(folder) / "python3";
    if (env.python_prefixes.size() < kMaxPrefixes && is_absolute(folder) && fs::exists(python, not_there))
      env.python_prefixes.push_back(fs::path(folder).parent_path().string());
  }
  env.home = value_of("HOME");
  return env;
}

LibrarySearch search_library(const InstalledLibrary& installed, const Toolkit& toolkit,
                             const SearchEnvironment& environment, const std::string& variable,
                             const std::string& given) {
  LibrarySearch search;
  search.name = installed.library.stem + std::string(".so");
  search.variable = variable;
  search.given = given;
  if (!given.empty()) {
    search_given(installed.library, search);
    return search;
  }
  search.places.push_back("the loader's path");
  const std::vector<std::string> folders = default_folders(installed, toolkit, environment);
  search.places.insert(search.places.end(), folders.begin(), folders.end());
  std::set<std::string> seen;
  for (const std::string& name : installed.library.names()) {
    search.candidates.push_back({name, major_of(name)});
    for (const std::string& folder : folders) {
      const std::string path = folder + "/" + name;
      const std::string real = real_file(path);
      if (!real.empty() && seen.insert(real).second) search.candidates.push_back({path, major_of(name)});
    }
  }
  return search;
}

std::string LibrarySearch::explain(const std::string& unusable) const {
  if (!given.empty()) {
    return variable + " is " + given + ", so no other place is searched: " +
           (unusable.empty() ? "it does not name a " + name + " by its absolute path" : unusable);
  }
  return (unusable.empty() ? "no " + name + " was found " : "no " + name + " is usable: " + unusable + " ") +
         looked_in(places);
}

void* load_candidate(const LibraryCandidate& candidate, std::string& reason) {
  void* const loaded = dlopen(candidate.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded) return loaded;
  const char* error = dlerror();
  const std::string text = error ? error : "it could not be loaded";
  const bool unknown = candidate.path.front() != '/' && text.rfind(candidate.path + ":", 0) == 0 &&
                       text.find("cannot open shared object file") != std::string::npos;
  reason = unknown ? "" : text;
  return nullptr;
}

std::string unfit_for(const GpuDriver& driver, void* loaded, bool is_simulated) {
  if (is_simulated && !driver.simulated()) return "it is the test suite's simulated library, and the device is real";
  if (!is_simulated && driver.simulated())
    return "it is a real library, and the device is the test suite's simulated one";
  const Vendor& vendor = driver.vendor();
  if (!vendor.runtime_call) return "";
  // A symbol looked up through the library's handle resolves to that of its own runtime.
  void* const its = dlsym(loaded, vendor.runtime_call);
  if (its == reinterpret_cast<void*>(driver.call().device_count)) return "";
  Dl_info where{};
  const bool known = its && dladdr(its, &where) != 0 && where.dli_fname;
  const std::string runtime = vendor.runtime_name;
  return known ? "it is linked with another " + runtime + ", " + where.dli_fname + ", than the one in use, " +
                     driver.library()
               : "it is not linked with a " + runtime;
}

}  // namespace gpumark
