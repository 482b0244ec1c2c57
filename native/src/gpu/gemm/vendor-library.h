// A loaded and initialised matrix library of the vendor. Code common to cuBLASLt and hipBLASLt is here, the differences
// are in cublaslt.cpp and hipblaslt.cpp.
#pragma once
#include <dlfcn.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/gemm/gemm-problem.h"
#include "gpu/gemm/vendor-blas-table.h"
#include "gpu/library-search.h"
#include "number-formats.h"

namespace gpumark {

struct LibraryVersion {
  int major = 0, minor = 0, patch = 0;
  std::string text() const { return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch); }
  bool before(int other_major, int other_minor) const {
    return major != other_major ? major < other_major : minor < other_minor;
  }
};

/** Numbers of the library's enumerations for one GemmType. */
struct VendorTypes {
  int compute = 0, scale = 0, input = 0, output = 0;
  /** alpha and beta are double, else float. */
  bool doubles = false;
  /**
   * fp8: partial sums stay in the matrix units' shorter format. An option of cuBLASLt; hipBLASLt has no such choice.
   */
  bool fast_accumulation = false;
  /** Block scale mode of both inputs, 0 if there are no block scales, and the layout of the scales in memory. */
  int scale_mode = 0;
  NumberFormat scaled = NumberFormat::fp32;
};

/**
 * Parameter sets for the type, in the order in which to try them; empty, with the reason, if the library does not
 * support it.
 */
struct VendorNames {
  std::vector<VendorTypes> types;
  std::string reason;
};

/**
 * False for instructions that the type's definition does not allow: matrix units for fp32, emulation for fp64, none for
 * tf32. @param numerics flags as reported by cuBLASLt
 */
bool keeps_to_type(GemmType type, std::optional<std::uint64_t> numerics);

/** Enumeration values whose numbers differ between libraries. */
struct VendorNumbers {
  int transpose_a, transpose_b, max_workspace, scale_pointer_a, scale_pointer_b, scale_mode_a, scale_mode_b;
  std::int32_t plain, transposed;
};

/** Names and enumeration values of one library. */
struct VendorDialect {
  /** "cublasLt": prefix of its calls, and the `path` of its products. */
  const char* prefix;
  /** "CUBLAS_STATUS_" */
  const char* status_prefix;
  /** Names of statuses; those that mean "not supported", which is not a fault; the one for out of memory. */
  std::vector<std::pair<int, const char*>> statuses;
  std::vector<int> declining;
  int allocation_failed;
  VendorNumbers numbers;
  /** As recommended by its authors. */
  std::size_t workspace_bytes;
};

/** One proposed algorithm. */
struct VendorAlgorithm {
  /** The library's record, passed back to it unchanged. */
  std::vector<unsigned char> bytes;
  std::size_t workspace_bytes = 0;
  /** Number of waves over the whole device, by the library's estimate. */
  double waves = 0;
  /** Index in the library's own order, from 0. */
  int index = 0;
  /** The library's status for this proposal alone. */
  int status = 0;
};

class VendorLibrary {
 public:
  /**
   * Opens the first candidate of the search that has all calls and starts on the calling thread's device; null with a
   * reason that lists every place searched. Once started, a library is never unloaded: it may hold the device.
   */
  static std::shared_ptr<VendorLibrary> open(const GpuDriver& driver, const SearchEnvironment& environment,
                                             std::string& reason);
  /** Call on a thread that has entered the device. */
  virtual ~VendorLibrary();
  VendorLibrary(const VendorLibrary&) = delete;
  VendorLibrary& operator=(const VendorLibrary&) = delete;

  const VendorBlasTable& call() const { return table_; }
  Handle handle() const { return handle_; }
  const VendorDialect& dialect() const { return dialect_; }
  /** "libcublasLt.so.13", and its path. */
  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }
  const LibraryVersion& version() const { return version_; }
  /** True for the test suite's library, which identifies itself. */
  bool simulated() const { return simulated_; }

  /** The call's symbol: "cublasLtMatmul" of "Matmul". */
  std::string symbol(const char* call) const { return std::string(dialect_.prefix) + call; }
  /** "CUBLAS_STATUS_NOT_SUPPORTED" */
  std::string status_name(int status) const;
  /** "cublasLtMatmul answers CUBLAS_STATUS_NOT_SUPPORTED (15)" */
  std::string answer(const char* call, int status) const;
  /** The status means "not supported", which is not a fault. */
  bool declines(int status) const;
  /** @throws GpuError unless the status is success; kOutOfMemory if memory was short */
  void check(int status, const char* call) const;

  /** Parameter sets for the type, in the order in which to try them; empty, with the reason, if it is not supported. */
  virtual VendorNames names(GemmType type, const std::string& architecture) const = 0;
  /** Requests accumulation in the matrix units' shorter format. @returns the library's status */
  virtual int ask_fast_accumulation(Handle operation) const = 0;
  /** Whether the library has that option, so that a result records it. */
  virtual bool has_fast_accumulation() const = 0;
  /**
   * Parses `count` proposals that the library wrote into `room`, prefilled with kUntouched; empty, with the reason, if
   * their layout is ambiguous.
   */
  virtual std::vector<VendorAlgorithm> read_proposals(const std::vector<unsigned char>& room, int count,
                                                      std::string& unreadable) const = 0;
  static constexpr unsigned char kUntouched = 0xee;
  /** "algo 66 tile 23 stages 36 split_k 1 ..."; of hipBLASLt "solution 1234". */
  virtual std::string algorithm_text(const VendorAlgorithm& algorithm) const = 0;
  /**
   * The instructions it multiplies with, CUBLASLT_NUMERICAL_IMPL_FLAGS_*; nullopt if the library does not report them.
   */
  virtual std::optional<std::uint64_t> algorithm_numerics(const VendorAlgorithm& algorithm) const = 0;

 protected:
  VendorLibrary(const VendorDialect& dialect, void* loaded) : dialect_(dialect), loaded_(loaded) {}
  template <class Function>
  bool find(const char* call, Function& function) const {
    function = reinterpret_cast<Function>(dlsym(loaded_, symbol(call).c_str()));
    return function != nullptr;
  }

  LibraryVersion version_;

 private:
  /** Resolves the calls that only this library has. @returns a missing one, or null */
  virtual const char* bind_own() = 0;
  /** Sets version_ of the started library. @returns why it is unavailable, or ""*/
  virtual std::string read_version() = 0;
  std::string bind();
  std::string start();

  const VendorDialect& dialect_;
  void* loaded_;
  VendorBlasTable table_;
  Handle handle_ = nullptr;
  std::string name_, path_;
  bool simulated_ = false;
};

template <class Record>
VendorAlgorithm read_record(const std::vector<unsigned char>& room, int index) {
  Record record;
  __builtin_memcpy(&record, &room[static_cast<std::size_t>(index) * sizeof record], sizeof record);
  VendorAlgorithm algorithm;
  algorithm.bytes.assign(record.algorithm, record.algorithm + sizeof record.algorithm);
  algorithm.workspace_bytes = record.workspace_bytes;
  algorithm.waves = record.waves;
  algorithm.status = record.status;
  algorithm.index = index;
  return algorithm;
}

}  // namespace gpumark
