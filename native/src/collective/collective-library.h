// A loaded NCCL or RCCL.
#pragma once
#include <memory>
#include <string>

#include "collective/collective-table.h"
#include "gpu/library-search.h"

namespace gpumark {

class CollectiveLibrary {
 public:
  /**
   * Loads the first candidate of the search that has all calls and matches the driver; null with a reason that lists
   * every place searched. Never unloaded: the library's threads may still be running.
   */
  static std::unique_ptr<CollectiveLibrary> open(const GpuDriver& driver, const SearchEnvironment& environment,
                                                 const std::string& given, std::string& reason);

  const CollectiveTable& call() const { return table_; }
  /** "nccl" or "rccl" */
  const char* name() const { return vendor_.collective_name; }
  /** "2.23.4" */
  const std::string& version() const { return version_; }
  const std::string& path() const { return path_; }
  /** True for the test suite's library, which identifies itself. */
  bool simulated() const { return simulated_; }
  /** @throws GpuError with the call and the library's explanation, unless result is 0 */
  void check(int result, const char* symbol) const;
  /** "remote process exited or there was a network error", followed by the library's last error message, if any. */
  std::string explain(int result) const;

 private:
  CollectiveLibrary(const Vendor& vendor, void* loaded) : vendor_(vendor), loaded_(loaded) {}
  /** @returns why the library is unusable, or "" */
  std::string bind();

  const Vendor& vendor_;
  void* loaded_;
  CollectiveTable table_;
  std::string version_, path_;
  bool simulated_ = false;
};

}  // namespace gpumark
