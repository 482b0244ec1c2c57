#include "collective/collective-library.h"

#include <dlfcn.h>

namespace gpumark {
namespace {

template <class Function>
bool bind_symbol(void* loaded, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(loaded, symbol));
  return function != nullptr;
}

/** Since 2.9 major * 10000 + minor * 100 + patch, before that major * 1000. */
std::string version_text(int code) {
  const int scale = code < 10000 ? 1000 : 10000;
  return std::to_string(code / scale) + "." + std::to_string(code % scale / 100) + "." + std::to_string(code % 100);
}

std::string absence(GpuVendor vendor, const std::string& given, const CollectiveSearch& search,
                    const std::string& unusable) {
  std::string places;
  for (const std::string& place : search.places) places += (places.empty() ? "" : ", ") + place;
  const std::string name = std::string("lib") + collective_name(vendor) + ".so";
  if (!given.empty()) {
    return std::string(collective_variable(vendor)) + " is " + given + ", and nothing else is tried: " +
           (unusable.empty() ? "it names no " + name + " by its whole path" : unusable);
  }
  return (unusable.empty() ? "no " + name + " was found" : "no " + name + " is usable: " + unusable) + " (looked in " +
         places + ")";
}

/**
 * Why a candidate did not load; "" where the loader merely knows no such name: the list of places says that it was
 * asked.
 */
std::string load_failure(const std::string& candidate) {
  const char* error = dlerror();
  const std::string text = error ? error : "it could not be loaded";
  const bool unknown = candidate.front() != '/' && text.rfind(candidate + ":", 0) == 0 &&
                       text.find("cannot open shared object file") != std::string::npos;
  return unknown ? "" : text;
}

}  // namespace

std::unique_ptr<CollectiveLibrary> CollectiveLibrary::open(const GpuDriver& driver,
                                                           const SearchEnvironment& environment,
                                                           const std::string& given, std::string& reason) {
  const CollectiveSearch search = search_collective(driver.vendor(), environment, given);
  std::string unusable;
  for (const std::string& candidate : search.candidates) {
    void* loaded = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::string why;
    if (loaded) {
      std::unique_ptr<CollectiveLibrary> library(new CollectiveLibrary(driver.vendor(), loaded));
      why = library->bind();
      if (why.empty()) why = library->misfit(driver);
      if (why.empty()) return library;
    } else {
      why = load_failure(candidate);
    }
    if (!why.empty()) unusable += (unusable.empty() ? "" : "; ") + candidate + ": " + why;
  }
  reason = absence(driver.vendor(), given, search, unusable);
  return nullptr;
}

std::string CollectiveLibrary::bind() {
  std::string missing;
  const auto need = [&](bool bound, const char* symbol) {
    if (!bound && missing.empty()) missing = symbol;
  };
#define GPUMARK_BIND(member, symbol, parameters) need(bind_symbol(loaded_, symbol, table_.member), symbol);
  GPUMARK_COLLECTIVE_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
#define GPUMARK_BIND(member, symbol, parameters) bind_symbol(loaded_, symbol, table_.member);
  GPUMARK_COLLECTIVE_NEWER_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
  bind_symbol(loaded_, "ncclGetErrorString", table_.error_string);
  bind_symbol(loaded_, "ncclGetLastError", table_.last_error);
  if (!missing.empty()) return "it has no " + missing;
  Dl_info where{};
  if (dladdr(reinterpret_cast<void*>(table_.get_version), &where) != 0 && where.dli_fname) path_ = where.dli_fname;
  simulated_ = dlsym(loaded_, "gpumark_simulated_library") != nullptr;
  int code = 0;
  const int result = table_.get_version(&code);
  if (result != 0 || code <= 0)
    return "ncclGetVersion answers " + explain(result) + " (" + std::to_string(result) + ")";
  version_ = version_text(code);
  return "";
}

/**
 * RCCL is linked with the HIP runtime, and streams of another copy of it mean nothing to ours. NCCL finds its one
 * libcuda by itself.
 */
std::string CollectiveLibrary::misfit(const GpuDriver& driver) const {
  if (simulated_ && !driver.simulated()) return "it is the test suite's simulated library, and the device is real";
  if (!simulated_ && driver.simulated())
    return "it is a real library, and the device is the test suite's simulated one";
  if (driver.is_nvidia()) return "";
  void* const its = dlsym(loaded_, "hipGetDeviceCount");
  if (its == reinterpret_cast<void*>(driver.call().device_count)) return "";
  Dl_info where{};
  const bool known = its && dladdr(its, &where) != 0 && where.dli_fname;
  return known ? "it is linked with another HIP runtime, " + std::string(where.dli_fname) + ", than the one in use, " +
                     driver.library()
               : "it is not linked with a HIP runtime";
}

std::string CollectiveLibrary::explain(int result) const {
  const char* words = table_.error_string ? table_.error_string(result) : nullptr;
  std::string text = words ? words : "unknown error";
  const char* last = table_.last_error ? table_.last_error(nullptr) : nullptr;
  if (last && *last) text += ": " + std::string(last).substr(0, 300);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

void CollectiveLibrary::check(int result, const char* symbol) const {
  if (result != 0) throw GpuError(symbol, result, explain(result));
}

}  // namespace gpumark
