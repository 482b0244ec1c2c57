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

std::vector<std::string> nvidia_driver_folders(const std::string& root) {
  std::vector<std::string> folders;
  for (const char* folder :
       {"/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/wsl/lib", "/run/opengl-driver/lib"})
    folders.push_back(root + folder);
  return folders;
}

std::vector<std::string> rocm_folders(const std::string& root) {
  std::vector<std::string> homes, folders;
  for (const char* variable : {"ROCM_PATH", "HIP_PATH"}) {
    const char* home = std::getenv(variable);
    // A relative one would search the current folder.
    if (home && home[0] == '/') homes.push_back(home);
  }
  homes.push_back(root + "/opt/rocm");
  for (const std::string& home : folders_like(root + "/opt", "rocm-")) homes.push_back(home);
  for (const std::string& home : homes) {
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
