// Accounting of device memory, access to it, and peers.
#include "client/client.h"

namespace client {
namespace {

using namespace gpumark::device;
constexpr std::size_t kMib = 1 << 20;

std::size_t free_bytes(const Driver& driver) {
  std::size_t free = 0, total = 0;
  CHECK_OK(driver.call.memory_info(&free, &total));
  CHECK(free <= total);
  return free;
}

/** Runs a kernel on the current device that reads 1 MiB at `memory`. @returns the code of the wait */
int read_by_kernel(const Driver& driver, gpumark::Handle read, gpumark::DevicePointer memory,
                   gpumark::DevicePointer partial) {
  CHECK_OK(driver.launch(
      read, ReadArgs{reinterpret_cast<const void*>(memory), kMib / kVectorBytes, reinterpret_cast<u64*>(partial), 1}, 1,
      nullptr));
  return driver.call.stream_wait(nullptr);
}

}  // namespace

void check_memory(const Driver& driver) {
  driver.open();
  const std::size_t free = free_bytes(driver);
  gpumark::DevicePointer all = 0, more = 0;
  CHECK_OK(driver.call.allocate(&all, free - kMib));
  CHECK(free_bytes(driver) == kMib);
  CHECK_CODE(driver.call.allocate(&more, kMib + 1), 2);
  // A refused allocation changes nothing.
  CHECK_OK(driver.call.allocate(&more, kMib));
  CHECK(free_bytes(driver) == 0);
  CHECK_OK(driver.call.release(more));
  CHECK_OK(driver.call.release(all));
  CHECK(free_bytes(driver) == free);
  CHECK_CODE(driver.call.release(all), 1);
  CHECK_CODE(driver.call.fill_bytes(all, 0, 16, nullptr), 1);
  const auto module = driver.load(driver.default_image());
  const auto read = driver.function(module, "gpumark_read");
  const auto memory = driver.allocate(kMib), partial = driver.allocate(kBlockThreads * 8);
  // Beyond the end of an allocation.
  unsigned char byte = 0;
  CHECK_CODE(driver.call.copy_to_host(&byte, memory + kMib, 1, nullptr), 1);
  CHECK_OK(read_by_kernel(driver, read, memory, partial));
  // A kernel that accesses memory there causes a permanent error of its device.
  CHECK_CODE(read_by_kernel(driver, read, memory + 16, partial), 700);
  CHECK_CODE(driver.call.stream_wait(nullptr), 700);
  CHECK_CODE(driver.call.release(memory), 700);
}

void check_peers(const Driver& driver) {
  driver.open();
  int count = 0, can = 0;
  CHECK_OK(driver.call.device_count(&count));
  CHECK(count >= 2);
  const auto near = driver.allocate(kMib), partial = driver.allocate(kBlockThreads * 8);
  const auto read = driver.function(driver.load(driver.default_image()), "gpumark_read");
  const auto context = driver.use(1);
  const auto far = driver.allocate(kMib);
  CHECK_OK(driver.call.fill_bytes(far, 5, kMib, nullptr));
  CHECK_OK(driver.call.stream_wait(nullptr));
  const auto own_context = driver.use(0);
  // Copying works without peer access, through host memory.
  CHECK_OK(driver.nvidia ? driver.call.cu_copy_peer(near, own_context, far, context, kMib, nullptr)
                         : driver.call.hip_copy_peer(near, 0, far, 1, kMib, nullptr));
  unsigned char byte = 0;
  driver.fetch(&byte, near + kMib - 1, 1);
  CHECK(byte == 5);
  CHECK_OK(driver.call.can_access_peer(&can, 0, 1));
  const auto enable = [&] {
    return driver.nvidia ? driver.call.cu_enable_peer(context, 0) : driver.call.hip_enable_peer(1, 0);
  };
  std::printf("can %d\n", can);
  if (can) {
    CHECK_OK(enable());
    CHECK_CODE(enable(), 704);
    CHECK_OK(read_by_kernel(driver, read, far, partial));
  } else {
    CHECK_CODE(enable(), 217);
    CHECK_CODE(read_by_kernel(driver, read, far, partial), 700);
    // The other device still works.
    driver.use(1);
    CHECK_OK(driver.call.stream_wait(nullptr));
  }
}

}  // namespace client
