#include "gpu/gemm/vendor-library.h"

#include <algorithm>
#include <cstdlib>

namespace gpumark {
namespace {

/** The same variable for all vendors: files of another vendor's library are skipped. */
constexpr const char* kPathVariable = "GPUMARK_BLAS_PATH";

}  // namespace

std::shared_ptr<VendorLibrary> VendorLibrary::open(const GpuDriver& driver, const SearchEnvironment& environment,
                                                   std::string& reason) {
  const Vendor& vendor = driver.vendor();
  const char* given = std::getenv(kPathVariable);
  const LibrarySearch search =
      search_library(vendor.blas, vendor.toolkit, environment, kPathVariable, given ? given : "");
  std::string unusable;
  for (const LibraryCandidate& candidate : search.candidates) {
    std::string why;
    if (void* loaded = load_candidate(candidate, why)) {
      const std::shared_ptr<VendorLibrary> library = vendor.make_blas(loaded);
      why = library->bind();
      if (why.empty()) why = unfit_for(driver, loaded, library->simulated());
      if (why.empty()) why = library->start();
      if (why.empty()) return library;
    }
    if (!why.empty()) unusable += (unusable.empty() ? "" : "; ") + candidate.path + ": " + why;
  }
  reason = search.explain(unusable);
  return nullptr;
}

VendorLibrary::~VendorLibrary() {
  if (handle_) table_.destroy(handle_);
}

std::string VendorLibrary::bind() {
  const char* missing = nullptr;
#define GPUMARK_BIND(member, name, parameters) \
  if (!find(name, table_.member) && !missing) missing = name;
  GPUMARK_BLAS_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
  if (!missing) missing = bind_own();
  if (missing) return "it has no " + symbol(missing);
  Dl_info where{};
  if (dladdr(reinterpret_cast<void*>(table_.create), &where) != 0 && where.dli_fname) path_ = where.dli_fname;
  name_ = path_.substr(path_.rfind('/') + 1);
  simulated_ = dlsym(loaded_, "gpumark_simulated_library") != nullptr;
  return "";
}

std::string VendorLibrary::start() {
  const int status = table_.create(&handle_);
  if (status == 0) return read_version();
  handle_ = nullptr;
  return answer("Create", status);
}

std::string VendorLibrary::status_name(int status) const {
  for (const auto& [number, name] : dialect_.statuses) {
    if (number == status) return std::string(dialect_.status_prefix) + name;
  }
  return "a status without a name";
}

std::string VendorLibrary::answer(const char* call, int status) const {
  return symbol(call) + " answers " + status_name(status) + " (" + std::to_string(status) + ")";
}

bool VendorLibrary::declines(int status) const {
  return std::find(dialect_.declining.begin(), dialect_.declining.end(), status) != dialect_.declining.end();
}

void VendorLibrary::check(int status, const char* call) const {
  if (status == 0) return;
  const bool no_memory = status == dialect_.allocation_failed;
  throw GpuError(symbol(call), no_memory ? gpu_code::kOutOfMemory : status, status_name(status));
}

}  // namespace gpumark
