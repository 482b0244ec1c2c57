// A loaded NCCL or RCCL.
#pragma once
#include <memory>
#include <string>

#include "collective/collective-search.h"
#include "collective/collective-table.h"

namespace gpumark {

class CollectiveLibrary {
 public:
  /**
   * The first candidate of the search that has all calls and fits the driver; null with the reason, which names every
   * place. What was loaded stays loaded for good: its threads may still run.
   */
  static std::unique_ptr<CollectiveLibrary> open(const GpuDriver& driver, const SearchEnvironment& environment,
                                                 const std::string& given, std::string& reason);

  const CollectiveTable& call() const { return table_; }
  /** "nccl" or "rccl" */
  const char* name() const { return collective_name(vendor_); }
  /** "2.23.4" */
  const std::string& version() const { return version_; }
  const std::string& path() const { return path_; }
  /** The test suite's library, which says so itself. */
  bool simulated() const { return simulated_; }
  /** @throws GpuError that names the call and what the library says of it, unless result is 0 */
  void check(int result, const char* symbol) const;
  /** "remote process exited or there was a network error", with the library's last words where it has any. */
  std::string explain(int result) const;

 private:
  CollectiveLibrary(GpuVendor vendor, void* loaded) : vendor_(vendor), loaded_(loaded) {}
  /** Both give why the library is not usable, or "". */
  std::string bind();
  std::string misfit(const GpuDriver& driver) const;

  GpuVendor vendor_;
  void* loaded_;
  CollectiveTable table_;
  std::string version_, path_;
  bool simulated_ = false;
};

}  // namespace gpumark
