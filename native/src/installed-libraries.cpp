#include "installed-libraries.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace gpumark {
namespace {

namespace fs = std::filesystem;

/** Limit per folder; no machine has more installations of Python, CUDA or ROCm. */
constexpr std::size_t kMaxMatches = 64;
constexpr std::size_t kMaxEntries = 4096;

std::string last_error() {
  const char* error = dlerror();
  return error ? error : "it could not be loaded";
}

}  // namespace

OpenedLibrary open_library(const LibraryNames& library, const std::vector<std::string>& folders) {
  OpenedLibrary opened;
  const auto opens = [&](const std::string& path) {
    opened.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    opened.path = path;
    return opened.handle != nullptr;
  };
  for (const std::string& name : library.names()) {
    if (opens(name)) return opened;
    const std::string error = last_error();
    // The loader also fails for a library that exists, or for one that this one needs.
    const bool is_absent =
        error.rfind(name + ":", 0) == 0 && error.find("cannot open shared object") != std::string::npos;
    if (!is_absent && opened.problem.empty()) opened.problem = error;
  }
  for (const std::string& folder : folders) {
    for (const std::string& name : library.names()) {
      const std::string path = folder + "/" + name;
      if (access(path.c_str(), F_OK) != 0) continue;
      if (opens(path)) return opened;
      if (opened.problem.empty()) opened.problem = last_error();
    }
  }
  std::vector<std::string> places = {"the loader's path"};
  places.insert(places.end(), folders.begin(), folders.end());
  opened.path.clear();
  if (opened.problem.empty()) opened.problem = std::string("no ") + library.stem + ".so was found " + looked_in(places);
  return opened;
}

Variables variables_of(const Toolkit& toolkit) {
  Variables set;
  for (const char* variable : toolkit.variables) {
    const char* value = std::getenv(variable);
    if (value && *value) set[variable] = value;
  }
  return set;
}

std::vector<std::string> homes_of(const Toolkit& toolkit, const Variables& variables, const std::string& root) {
  std::vector<std::string> homes;
  const auto add_all = [&](const std::vector<std::string>& more) {
    homes.insert(homes.end(), more.begin(), more.end());
  };
  for (const char* variable : toolkit.variables) {
    const auto home = variables.find(variable);
    // A relative one would search the current folder.
    if (home != variables.end() && home->second.front() == '/') homes.push_back(home->second);
  }
  const std::string parent = root + toolkit.parent, name = toolkit.name;
  homes.push_back(parent + "/" + name);
  add_all(folders_like(parent, name + "-"));
  // Named by the year; other folders there are not releases.
  for (const char* releases : toolkit.release_parents) add_all(folders_like(root + releases, "2"));
  return homes;
}

const Toolkit& rocm_toolkit() {
  static const Toolkit rocm = {
      .parent = "/opt", .name = "rocm", .variables = {"ROCM_PATH", "HIP_PATH"}, .release_parents = {}};
  return rocm;
}

std::vector<std::string> nvidia_driver_folders() {
  return {"/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/wsl/lib", "/run/opengl-driver/lib"};
}

std::vector<std::string> rocm_folders() {
  std::vector<std::string> folders;
  for (const std::string& home : homes_of(rocm_toolkit(), variables_of(rocm_toolkit()), "")) {
    for (const char* below : {"/lib", "/lib64"}) folders.push_back(home + below);
  }
  return folders;
}

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
  std::sort(found.begin(), found.end(),
            [](const std::string& a, const std::string& b) { return strverscmp(a.c_str(), b.c_str()) > 0; });
  return found;
}

std::string looked_in(const std::vector<std::string>& places) {
  std::string all;
  for (const std::string& place : places) all += (all.empty() ? "" : ", ") + place;
  return "(looked in " + all + ")";
}

}  // namespace gpumark
