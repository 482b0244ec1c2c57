// What a device with a fault answers, call by call.
#include <filesystem>

#include "client/client.h"

namespace client {

using namespace gpumark::device;

/** One line per image: file and the code of loading it on device 0. */
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
 * On device 0 and then on device 1, where there is one: "allocate load launch wait again" as codes; a call that failed
 * ends the row.
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
