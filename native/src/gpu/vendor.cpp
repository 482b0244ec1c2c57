#include "gpu/vendor.h"

#include "gpu/vendors/vendors.h"

namespace gpumark {

const std::vector<const Vendor*>& vendors() {
  static const std::vector<const Vendor*> all = {&kNvidia, &kAmd};
  return all;
}

const Vendor* find_vendor(const std::string& backend) {
  for (const Vendor* vendor : vendors()) {
    if (backend == vendor->backend) return vendor;
  }
  return nullptr;
}

}  // namespace gpumark
