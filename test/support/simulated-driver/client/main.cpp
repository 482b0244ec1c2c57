// client nvidia|amd IMAGES COMMAND
#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>

#include "client/client.h"

namespace client {

const std::vector<Command> kCommands = {
    {"symbols", check_symbols},
    {"contexts", check_contexts},
    {"list", list},
    {"kernels", check_kernels},
    {"gate", check_gate},
    {"streams", check_streams},
    {"graph", check_graph},
    {"memory", check_memory},
    {"peers", check_peers},
    {"images", try_images},
    {"fault", meet_fault},
    {"flips", check_flips},
    {"time", time_work},
    {"telemetry", read_telemetry},
    {"telemetry-briefly", read_telemetry_briefly},
    {"links", list_links},
    {"tensor-maps", check_tensor_maps},
};

void fail(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: %s does not hold\n", file, line, expression);
  std::exit(1);
}

void check_code(int code, int expected, const char* call, const char* file, int line) {
  if (code == expected) return;
  std::fprintf(stderr, "%s:%d: %s gave %d, not %d\n", file, line, call, code, expected);
  std::exit(1);
}

std::vector<unsigned char> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<unsigned char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  CHECK(!bytes.empty());
  // PTX must end in a zero byte.
  bytes.push_back(0);
  return bytes;
}

gpumark::Handle Driver::use(int ordinal) const {
  int device = -1;
  CHECK_OK(call.device_get(&device, ordinal));
  if (!nvidia) {
    CHECK_OK(call.hip_set_device(device));
    return nullptr;
  }
  gpumark::Handle context = nullptr;
  CHECK_OK(call.cu_context_retain(&context, device));
  CHECK_OK(call.cu_context_set(context));
  return context;
}

void Driver::open(int ordinal) const {
  CHECK_OK(call.init(0));
  use(ordinal);
}

gpumark::Handle Driver::load(const std::string& file) const {
  gpumark::Handle module = nullptr;
  CHECK_OK(call.module_load(&module, read_file(images + "/" + file).data()));
  return module;
}

gpumark::Handle Driver::function(gpumark::Handle module, const char* name) const {
  gpumark::Handle found = nullptr;
  CHECK_OK(call.module_function(&found, module, name));
  return found;
}

gpumark::DevicePointer Driver::allocate(std::size_t bytes) const {
  gpumark::DevicePointer memory = 0;
  CHECK_OK(call.allocate(&memory, bytes));
  return memory;
}

void Driver::fetch(void* to, gpumark::DevicePointer from, std::size_t bytes) const {
  CHECK_OK(call.copy_to_host(to, from, bytes, nullptr));
  CHECK_OK(call.stream_wait(nullptr));
}

gpumark::Handle Driver::stream() const {
  gpumark::Handle created = nullptr;
  CHECK_OK(call.stream_create(&created, 1));
  return created;
}

Gate::Gate(const Driver& driver_, gpumark::Handle module)
    : driver(driver_), spin(driver_.function(module, "gpumark_spin")) {
  void* memory = nullptr;
  // CU_MEMHOSTALLOC_DEVICEMAP
  CHECK_OK(driver.call.allocate_host(&memory, 8, 2));
  words = static_cast<unsigned*>(memory);
  words[0] = words[1] = 0;
  CHECK_OK(driver.call.host_address(&address, memory, 0));
}

void Gate::close(gpumark::Handle stream) {
  __atomic_store_n(words, 0, __ATOMIC_RELEASE);
  const auto* gate = reinterpret_cast<const unsigned*>(address);
  const unsigned long long second = driver.nvidia ? 1000000000ull : 100000000ull;
  CHECK_OK(driver.launch(spin, gpumark::device::SpinArgs{gate, const_cast<unsigned*>(gate) + 1, second}, 1, stream));
}

void Gate::open() { __atomic_store_n(words, 1, __ATOMIC_RELEASE); }
bool Gate::expired() const { return __atomic_load_n(words + 1, __ATOMIC_ACQUIRE) != 0; }

}  // namespace client

int main(int count, char** arguments) {
  if (count != 4) return 2;
  client::Driver driver{};
  driver.nvidia = std::strcmp(arguments[1], "nvidia") == 0;
  driver.images = arguments[2];
  driver.library = dlopen(driver.nvidia ? "libcuda.so.1" : "libamdhip64.so.6", RTLD_NOW | RTLD_LOCAL);
  if (!driver.library) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 3;
  }
#define BIND(member, cuda, hip, parameters) \
  driver.call.member =                      \
      reinterpret_cast<decltype(driver.call.member)>(dlsym(driver.library, driver.nvidia ? cuda : hip));
  GPUMARK_DRIVER_CALLS(BIND)
#undef BIND
#define BIND(member, symbol, parameters) \
  driver.call.member = reinterpret_cast<decltype(driver.call.member)>(dlsym(driver.library, symbol));
  GPUMARK_CUDA_CALLS(BIND)
  GPUMARK_CUDA_NEWER_CALLS(BIND)
  GPUMARK_HIP_CALLS(BIND)
#undef BIND
  for (const client::Command& command : client::kCommands) {
    if (std::strcmp(command.name, arguments[3]) != 0) continue;
    command.run(driver);
    return 0;
  }
  return 2;
}
