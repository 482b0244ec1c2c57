#include "collective/last-error.h"

#include <mutex>

#include "collective/library.h"

namespace gpumark::sim::collective {
namespace {

std::mutex mutex;
/** Never freed, because callers may still hold a pointer to the text. */
const std::string* last = new std::string;

}  // namespace

void set_last_error(const std::string& text) {
  const std::lock_guard lock(mutex);
  last = new std::string(text);
}

const char* last_error() {
  const std::lock_guard lock(mutex);
  return last->c_str();
}

}  // namespace gpumark::sim::collective
