#include "collective/collective-library.h"

#include <dlfcn.h>

namespace gpumark {
namespace {

template <class Function>
bool bind_symbol(void* loaded, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(loaded, symbol));
  return function != nullptr;
}

/** NCCL encodes its version as major * 10000 + minor * 100 + patch since 2.9, and with major * 1000 before. */
std::string version_text(int code) {
  const int scale = code < 10000 ? 1000 : 10000;
  return std::to_string(code / scale) + "." + std::to_string(code % scale / 100) + "." + std::to_string(code % 100);
}

}  // namespace

std::unique_ptr<CollectiveLibrary> CollectiveLibrary::open(const GpuDriver& driver,
                                                           const SearchEnvironment& environment,
                                                           const std::string& given, std::string& reason) {
  const Vendor& vendor = driver.vendor();
  const LibrarySearch search =
      search_library(vendor.collective, vendor.toolkit, environment, vendor.collective_variable, given);
  std::string unusable;
  for (const LibraryCandidate& candidate : search.candidates) {
    std::string why;
    if (void* loaded = load_candidate(candidate, why)) {
      std::unique_ptr<CollectiveLibrary> library(new CollectiveLibrary(vendor, loaded));
      why = library->bind();
      if (why.empty()) why = unfit_for(driver, loaded, library->simulated());
      if (why.empty()) return library;
    }
    if (!why.empty()) unusable += (unusable.empty() ? "" : "; ") + candidate.path + ": " + why;
  }
  reason = search.explain(unusable);
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
