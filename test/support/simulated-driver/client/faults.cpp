// Results of the calls on a device with a fault.
#include <filesystem>

#include "client/client.h"

namespace client {

using namespace gpumark::device;

/** Prints one line per image: the file and the code of loading it on device 0. */
void try_images(const Driver& driver) {
  driver.open();
  for (const auto& entry : std::filesystem::directory_iterator(driver.images)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == "") continue;
    gpumark::Handle module = nullptr;
    std::printf("%s %d\n", name.c_str(), driver.call.module_load(&module, read_file(entry.path().string()).data()));
  }
}

/**
 * Prints one line per device with the codes of allocating, loading, three times launching and waiting, and freeing.
 * After a failed allocation or load, the line ends.
 */
void meet_fault(const Driver& driver) {
  CHECK_OK(driver.call.init(0));
  int count = 0;
  CHECK_OK(driver.call.device_count(&count));
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    driver.use(ordinal);
    std::printf("device %d", ordinal);
    gpumark::DevicePointer memory = 0;
    gpumark::Handle module = nullptr;
    int code = 0;
    const auto step = [&](const char* name, int result) {
      code = result;
      std::printf(" %s=%d", name, code);
    };
    step("allocate", driver.call.allocate(&memory, 1 << 20));
    if (!code)
      step("load", driver.call.module_load(&module, read_file(driver.images + "/" + driver.default_image()).data()));
    if (!code) {
      const auto write = driver.function(module, "gpumark_write");
      for (int launch = 0; launch < 3; ++launch) {
        driver.launch(write, WriteArgs{reinterpret_cast<void*>(memory), (1 << 20) / kVectorBytes, 1, 1}, 1, nullptr);
        step("wait", driver.call.stream_wait(nullptr));
      }
      step("free", driver.call.release(memory));
    }
    std::printf("\n");
  }
}

}  // namespace client
