// Symbols, contexts and the list of devices.
#include <cstring>
#include <dlfcn.h>
#include <thread>

#include "client/client.h"

namespace client {

void check_symbols(const Driver& driver) {
  const auto* own = static_cast<const int*>(dlsym(driver.library, "gpumark_simulated_driver"));
  CHECK(own && *own == 1);
#define NEED(member, cuda, hip, parameters) CHECK(driver.call.member != nullptr);
  GPUMARK_DRIVER_CALLS(NEED)
#undef NEED
#define NEED(member, symbol, parameters) CHECK(driver.call.member != nullptr);
  if (driver.nvidia) {
    GPUMARK_CUDA_CALLS(NEED)
    GPUMARK_CUDA_NEWER_CALLS(NEED)
  } else {
    GPUMARK_HIP_CALLS(NEED)
    CHECK(dlsym(driver.library, "hipGetErrorName") != nullptr);
  }
#undef NEED
}

void check_contexts(const Driver& driver) {
  gpumark::DevicePointer memory = 0;
  int count = 0;
  if (!driver.nvidia) {
    // HIP initialises itself, on device 0, and each thread has its own current device.
    CHECK_OK(driver.call.device_count(&count));
    CHECK_OK(driver.call.allocate(&memory, 16));
    CHECK_CODE(driver.call.hip_set_device(count), 101);
    std::thread([&] { CHECK_OK(driver.call.release(memory)); }).join();
    return;
  }
  CHECK_CODE(driver.call.device_count(&count), 3);
  CHECK_OK(driver.call.init(0));
  CHECK_CODE(driver.call.allocate(&memory, 16), 201);
  gpumark::Handle context = nullptr;
  CHECK_OK(driver.call.cu_context_retain(&context, 0));
  CHECK_CODE(driver.call.allocate(&memory, 16), 201);
  CHECK_OK(driver.call.cu_context_set(context));
  CHECK_OK(driver.call.allocate(&memory, 16));
  // Another thread has no context until it sets one.
  std::thread([&] { CHECK_CODE(driver.call.release(memory), 201); }).join();
  CHECK_OK(driver.call.cu_context_release(0));
  CHECK_CODE(driver.call.release(memory), 201);
  CHECK_CODE(driver.call.cu_context_set(context), 201);
}

/** Prints one line per device: ordinal, name, PCI id, UUID in hexadecimal (NVIDIA) or as text (AMD). */
void list(const Driver& driver) {
  const int code = driver.call.init(0);
  int version = 0, count = 0;
  CHECK_OK(driver.call.driver_version(&version));
  std::printf("init %d version %d\n", code, version);
  if (code != 0) return;
  CHECK_OK(driver.call.device_count(&count));
  for (int i = 0; i < count; ++i) {
    char name[64], pci[16];
    unsigned char uuid[17] = {};
    CHECK_OK(driver.call.device_name(name, sizeof name, i));
    CHECK_OK(driver.call.device_pci_id(pci, sizeof pci, i));
    CHECK_OK(driver.call.device_uuid(reinterpret_cast<char*>(uuid), i));
    std::printf("%d|%s|%s|", i, name, pci);
    if (driver.nvidia) {
      for (int byte = 0; byte < 16; ++byte) std::printf("%02x", uuid[byte]);
    } else {
      std::printf("%s", reinterpret_cast<const char*>(uuid));
    }
    std::printf("\n");
  }
  CHECK_CODE(driver.call.device_get(&count, count), 101);
}

}  // namespace client
