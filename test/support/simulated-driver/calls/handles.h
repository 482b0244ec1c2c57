// The objects behind the driver's opaque handles. An invalid or released handle finds nothing.
#pragma once
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "core/kernel-table.h"
#include "core/stream.h"

namespace gpumark::sim {

struct Event {
  Device* device = nullptr;
  bool timed = true;
  std::mutex mutex;
  /** The latest recording, or null. */
  std::shared_ptr<Mark> mark;
  /** Last recorded during a capture, where it is only a dependency and has no time. */
  bool captured = false;
};

struct Module {
  Device* device = nullptr;
  std::set<std::string> kernels;
};

struct Function {
  std::shared_ptr<Module> module;
  const Kernel* kernel = nullptr;
  /** Dynamic shared memory that a launch may request. */
  unsigned shared_limit = 48 << 10;
  /** Loaded onto the device. If not, its first launch waits until the device is idle. */
  bool loaded = true;
};

struct GraphExecutable {
  explicit GraphExecutable(const Graph& graph_) : graph(graph_) {}
  Graph graph;
  std::atomic<bool> uploaded = false;
};

template <class Object>
class Handles {
 public:
  void* add(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    void* handle = object.get();
    objects_[handle] = std::move(object);
    return handle;
  }
  std::shared_ptr<Object> find(void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  std::shared_ptr<Object> remove(void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    auto object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  template <class Condition>
  void remove_if(Condition condition) {
    const std::lock_guard lock(mutex_);
    std::erase_if(objects_, [&](const auto& entry) { return condition(*entry.second); });
  }

 private:
  std::mutex mutex_;
  std::map<void*, std::shared_ptr<Object>> objects_;
};

template <class Object>
Handles<Object>& handles() {
  static auto* const all = new Handles<Object>;
  return *all;
}

}  // namespace gpumark::sim
