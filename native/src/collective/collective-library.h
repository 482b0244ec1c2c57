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
   * The first candidate of the search that has all calls and fits the driver; null with the reason, which names every
   * place. What was loaded stays loaded for good: its threads may still run.
   */
  static std::unique_ptr<CollectiveLibrary> open(const GpuDriver& driver, const SearchEnvironment& environment,
                                                 const std::string& given, std::string& reason);

  const CollectiveTable& call() const { return table_; }
  /** "nccl" or "rccl" */
  const char* name() const { return vendor_.collective_name; }
  /** "2.23.4" */
  const std::string& version() const { return version_; }
  const std::string& path() const { return path_; }
  /** The test suite's library, which says so itself. */
  bool simulated() const { return simulated_; }
  /** @throws GpuError that names the call and what the library says of it, unless result is 0 */
  void check(int result, const char* symbol) const;
  /** "remote process exited or there was a network error", with the library's last words if it has any. */
  std::string explain(int result) const;

 private:
  CollectiveLibrary(const Vendor& vendor, void* loaded) : vendor_(vendor), loaded_(loaded) {}
  /** @returns why the library is not usable, or "" */
  std::string bind();

  const Vendor& vendor_;
  void* loaded_;
  CollectiveTable table_;
  std::string version_, path_;
  bool simulated_ = false;
};

}  // namespace gpumark
