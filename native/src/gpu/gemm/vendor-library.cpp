#include "gpu/gemm/vendor-library.h"

#include <dlfcn.h>

#include "gpu/gemm/cublaslt-values.h"
#include "gpu/gemm/hipblaslt-values.h"

namespace gpumark {
namespace {

template <class Function>
bool bind_symbol(void* loaded, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(loaded, symbol));
  return function != nullptr;
}

/** "no libcublasLt was found (looked in …)", or what was wrong with each that was. */
std::string explain(GpuVendor vendor, const SearchEnvironment& environment, const LibrarySearch& search,
                    const std::string& unusable) {
  std::string places;
  for (const std::string& place : search.places) places += (places.empty() ? "" : ", ") + place;
  const std::string name = std::string(library_stem(vendor)) + ".so";
  if (!environment.blas_path.empty()) {
    const std::string given = "GPUMARK_BLAS_PATH is " + environment.blas_path + ", and nothing else is tried: ";
    return given + (unusable.empty() ? "it names no " + name + " by its whole path" : unusable);
  }
  return (unusable.empty() ? "no " + name + " was found" : "no " + name + " is usable: " + unusable) + " (looked in " +
         places + ")";
}

}  // namespace

std::shared_ptr<VendorLibrary> VendorLibrary::open(const GpuDriver& driver, const SearchEnvironment& environment,
                                                   std::string& reason) {
  const LibrarySearch search = search_library(driver.vendor(), environment);
  std::string unusable;
  for (const LibraryCandidate& candidate : search.candidates) {
    void* loaded = dlopen(candidate.path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const bool is_file = candidate.path.front() == '/';
    std::string why;
    if (loaded) {
      std::shared_ptr<VendorLibrary> library(new VendorLibrary(driver.vendor(), loaded));
      why = library->bind();
      if (why.empty()) why = library->wrong_driver(driver);
      if (why.empty()) why = library->start();
      if (why.empty()) return library;
    } else {
      const char* error = dlerror();
      // That the loader knows no such name is the rule; the list of places says that it was asked.
      const std::string text = error ? error : "it could not be loaded";
      if (is_file || text.find("cannot open shared object file") == std::string::npos ||
          text.rfind(candidate.path + ":", 0) != 0)
        why = text;
    }
    if (!why.empty()) unusable += (unusable.empty() ? "" : "; ") + candidate.path + ": " + why;
  }
  reason = explain(driver.vendor(), environment, search, unusable);
  return nullptr;
}

VendorLibrary::~VendorLibrary() {
  if (handle_) table_.destroy(handle_);
}

std::string VendorLibrary::bind() {
  const bool nvidia = is_nvidia();
  std::string missing;
  const auto need = [&](bool bound, const char* symbol) {
    if (!bound && missing.empty()) missing = symbol;
  };
#define GPUMARK_BIND(member, cuda, hip, parameters) \
  need(bind_symbol(loaded_, nvidia ? cuda : hip, table_.member), nvidia ? cuda : hip);
  GPUMARK_BLAS_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
  if (nvidia) {
#define GPUMARK_BIND(member, symbol, parameters) need(bind_symbol(loaded_, symbol, table_.member), symbol);
    GPUMARK_CUBLASLT_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
  } else {
    bind_symbol(loaded_, "hipblasLtGetVersion", table_.hipblaslt_version);
  }
  if (!missing.empty()) return "it has no " + missing;
  Dl_info where{};
  if (dladdr(reinterpret_cast<void*>(table_.create), &where) != 0 && where.dli_fname) path_ = where.dli_fname;
  name_ = path_.substr(path_.rfind('/') + 1);
  simulated_ = dlsym(loaded_, "gpumark_simulated_library") != nullptr;
  return "";
}

/**
 * hipBLASLt is linked with the HIP runtime, and streams of another copy of it mean nothing to ours: the runtime that
 * the library came with must be the one that is in use. Looking a symbol up in the library's handle finds its
 * runtime's. cuBLASLt asks for libcuda.so.1 by name, which is there once per process, and works in the context that is
 * current.
 */
std::string VendorLibrary::wrong_driver(const GpuDriver& driver) const {
  if (simulated_ && !driver.simulated()) return "it is the test suite's simulated library, and the device is real";
  if (!simulated_ && driver.simulated())
    return "it is a real library, and the device is the test suite's simulated one";
  if (is_nvidia()) return "";
  void* const ours = reinterpret_cast<void*>(driver.call().device_count);
  void* const its = dlsym(loaded_, "hipGetDeviceCount");
  if (its == ours) return "";
  Dl_info where{};
  const bool known = its && dladdr(its, &where) != 0 && where.dli_fname;
  return known ? "it is linked with another HIP runtime, " + std::string(where.dli_fname) + ", than the one in use, " +
                     driver.library()
               : "it is not linked with a HIP runtime";
}

std::string VendorLibrary::start() {
  int status = table_.create(&handle_);
  if (status != 0) {
    handle_ = nullptr;
    return symbol("Create") + " answers " + status_name(status) + " (" + std::to_string(status) + ")";
  }
  if (is_nvidia()) {
    for (const auto& [property, value] : {std::pair{cublaslt::kMajorVersion, &version_.major},
                                          {cublaslt::kMinorVersion, &version_.minor},
                                          {cublaslt::kPatchLevel, &version_.patch}}) {
      status = table_.cublaslt_property(property, value);
      if (status != 0)
        return symbol("GetProperty") + " answers " + status_name(status) + " (" + std::to_string(status) + ")";
    }
    return "";
  }
  int number = 0;
  if (table_.hipblaslt_version && table_.hipblaslt_version(handle_, &number) == 0)
    version_ = {number / 100000, number / 100 % 1000, number % 100};
  return "";
}

const VendorNumbers& VendorLibrary::numbers() const {
  static const VendorNumbers cuda = {cublaslt::kTransposeA,    cublaslt::kTransposeB,    cublaslt::kMaxWorkspace,
                                     cublaslt::kScalePointerA, cublaslt::kScalePointerB, cublaslt::kScaleModeA,
                                     cublaslt::kScaleModeB,    cublaslt::kPlain,         cublaslt::kTransposed};
  static const VendorNumbers hip = {hipblaslt::kTransposeA,    hipblaslt::kTransposeB,    hipblaslt::kMaxWorkspace,
                                    hipblaslt::kScalePointerA, hipblaslt::kScalePointerB, hipblaslt::kScaleModeA,
                                    hipblaslt::kScaleModeB,    hipblaslt::kPlain,         hipblaslt::kTransposed};
  return is_nvidia() ? cuda : hip;
}

// hipBLASLt answers with an invalid value where it has no kernels for the architecture.
bool VendorLibrary::declines(int status) const {
  if (is_nvidia())
    return status == cublaslt::kNotSupported || status == cublaslt::kInvalidValue ||
           status == cublaslt::kArchitectureMismatch;
  using namespace hipblaslt;
  return status == kNotSupported || status == kInvalidValue || status == kArchitectureMismatch ||
         status == kInvalidEnum;
}

void VendorLibrary::check(int status, const char* call) const {
  if (status == 0) return;
  const bool no_memory = status == (is_nvidia() ? cublaslt::kAllocationFailed : hipblaslt::kAllocationFailed);
  throw GpuError(symbol(call), no_memory ? gpu_code::kOutOfMemory : status, status_name(status));
}

}  // namespace gpumark
