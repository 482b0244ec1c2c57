#include "commands/find-device.h"

#include <sstream>

namespace gpumark {
namespace {

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::stringstream parts(list);
  for (std::string word; std::getline(parts, word, ',');) {
    bool known = word.empty();
    for (const std::string& other : words) known = known || other == word;
    if (!known) words.push_back(word);
  }
  return words;
}

/**
 * Only CPU ids begin with the backend's name; any other id may belong to any vendor. Avoids starting drivers that are
 * not needed.
 */
bool may_have(const std::vector<std::unique_ptr<Backend>>& backends, const Backend& backend, const std::string& word) {
  const std::string name = backend.name();
  for (const auto& other : backends) {
    if (word == other->name()) return name == word;
  }
  return (word.rfind("cpu-", 0) == 0) == (name == "cpu");
}

/** Two words may name the same device: its backend and its id. */
void add(std::vector<FoundDevice>& devices, const FoundDevice& device) {
  for (const FoundDevice& other : devices) {
    if (other.backend == device.backend && other.device.device_id == device.device.device_id) return;
  }
  devices.push_back(device);
}

}  // namespace

FoundDevices find_devices(const std::string& wanted, const RunOptions& options, Emitter& emitter) {
  FoundDevices found;
  found.backends = all_backends();
  std::vector<std::vector<Device>> lists(found.backends.size());
  for (const std::string& word : words_of(wanted)) {
    std::string why = "no device is called \"" + word + "\"";
    bool is_usable = false;
    for (std::size_t i = 0; i < found.backends.size() && !is_usable; ++i) {
      Backend& backend = *found.backends[i];
      if (!may_have(found.backends, backend, word)) continue;
      if (lists[i].empty()) lists[i] = backend.list(options);
      for (const Device& device : lists[i]) {
        if (is_usable || (word != backend.name() && word != device.device_id)) continue;
        is_usable = device.status == "ok";
        if (is_usable) {
          add(found.usable, {&backend, device});
          continue;
        }
        emitter.device(device);
        why = std::string(backend.name()) + ": " + device.status + " (" + device.detail + ")";
      }
    }
    if (is_usable) continue;
    found.incomplete = true;
    emitter.failure("", {"no_usable_device", why, "See `gpumark-runner --list` for the devices of this machine."});
  }
  if (words_of(wanted).empty()) {
    found.incomplete = true;
    emitter.failure("", {"no_usable_device", "--device names no device",
                         "See `gpumark-runner --list` for the devices of this machine."});
  }
  return found;
}

}  // namespace gpumark
