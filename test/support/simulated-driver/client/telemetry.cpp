// Prints the readings of the driver's telemetry library, idle and under load, as one JSON object.
#include <chrono>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <thread>

#include "client/client.h"

namespace client {
namespace {

using namespace gpumark::device;
using Clock = std::chrono::steady_clock;

void* library = nullptr;

template <class... Arguments>
int ask(const char* symbol, Arguments... arguments) {
  auto* call = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, symbol));
  CHECK(call != nullptr);
  return call(arguments...);
}

/** Device 0, found through the PCI id that the driver returns. */
struct Card {
  bool nvidia;
  void* handle = nullptr;

  double watts() const {
    if (nvidia) {
      // nvmlFieldValue_t of NVML_FI_DEV_POWER_INSTANT
      struct {
        unsigned field, scope;
        long long time, latency;
        int type, result;
        unsigned long long value;
      } field = {186, 0, 0, 0, 0, -1, 0};
      CHECK_OK(ask("nvmlDeviceGetFieldValues", handle, 1, static_cast<void*>(&field)));
      CHECK_OK(field.result);
      return static_cast<double>(static_cast<unsigned>(field.value)) / 1000;
    }
    std::uint64_t microwatts = 0;
    CHECK_OK(ask("rsmi_dev_current_socket_power_get", 0u, &microwatts));
    return static_cast<double>(microwatts) / 1e6;
  }
  double joules() const {
    if (nvidia) {
      unsigned long long millijoules = 0;
      CHECK_OK(ask("nvmlDeviceGetTotalEnergyConsumption", handle, &millijoules));
      return static_cast<double>(millijoules) / 1000;
    }
    std::uint64_t ticks = 0, time = 0;
    float microjoules = 0;
    CHECK_OK(ask("rsmi_dev_energy_count_get", 0u, &ticks, &microjoules, &time));
    return static_cast<double>(ticks) * static_cast<double>(microjoules) / 1e6;
  }
};

/**
 * Prints mean power and energy per second over about `seconds`. Power is read ten times per refresh, since some reads
 * are late on a busy machine.
 */
void observe(const Card& card, double seconds, const char* name) {
  double integral = 0, last = 0;
  const double begin = card.joules();
  const auto start = Clock::now();
  while (last < seconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const double watts = card.watts(), now = std::chrono::duration<double>(Clock::now() - start).count();
    integral += watts * (now - last);
    last = now;
  }
  std::printf("\"%s_watts\":%.3f,\"%s_joules_per_second\":%.3f,", name, integral / last, name,
              (card.joules() - begin) / last);
}

bool begin(const Driver& driver, Card* card) {
  library = dlopen(driver.nvidia ? "libnvidia-ml.so.1" : "librocm_smi64.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::printf("{\"library\":false}\n");
    return false;
  }
  const int code = driver.nvidia ? ask("nvmlInit_v2") : ask("rsmi_init", std::uint64_t{0});
  char pci[16];
  CHECK_OK(driver.call.device_pci_id(pci, sizeof pci, 0));
  card->nvidia = driver.nvidia;
  if (code == 0 && driver.nvidia)
    CHECK_OK(ask("nvmlDeviceGetHandleByPciBusId_v2", static_cast<const char*>(pci), &card->handle));
  if (code != 0) std::printf("{\"init\":%d}\n", code);
  return code == 0;
}

void print_nvidia(const Card& card) {
  unsigned long long throttle = 0, uncorrected = 0;
  unsigned processes = 0, clock = 0, celsius = 0, limit = 0;
  char uuid[80] = {};
  CHECK_OK(ask("nvmlDeviceGetCurrentClocksThrottleReasons", card.handle, &throttle));
  CHECK_OK(ask("nvmlDeviceGetTotalEccErrors", card.handle, 1, 0, &uncorrected));
  ask("nvmlDeviceGetComputeRunningProcesses_v3", card.handle, &processes, static_cast<void*>(nullptr));
  CHECK_OK(ask("nvmlDeviceGetClockInfo", card.handle, 1, &clock));
  CHECK_OK(ask("nvmlDeviceGetTemperature", card.handle, 0, &celsius));
  CHECK_OK(ask("nvmlDeviceGetEnforcedPowerLimit", card.handle, &limit));
  CHECK_OK(ask("nvmlDeviceGetUUID", card.handle, uuid, 80u));
  std::printf(
      "\"throttle\":%llu,\"uncorrected\":%llu,\"processes\":%u,\"clock_mhz\":%u,\"celsius\":%u,\"power_cap_watts\":%u,"
      "\"uuid\":\"%s\",",
      throttle, uncorrected, processes, clock, celsius, limit / 1000, uuid);
}

void read(const Driver& driver, double seconds) {
  driver.open();
  Card card{};
  if (!begin(driver, &card)) return;
  std::printf("{");
  observe(card, seconds / 2, "idle");
  // A thread keeps the device busy by launching a kernel repeatedly until the time is over.
  const auto module = driver.load(driver.default_image());
  const auto stream = driver.stream();
  const auto out = driver.allocate(kBlockThreads * 8), clocks = driver.allocate(16);
  const auto fma = driver.function(module, "gpumark_fma_fp64");
  bool lost = false;
  const auto until = Clock::now() + std::chrono::milliseconds(500) +
                     std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::thread load([&] {
    if (driver.nvidia) driver.use(0);
    while (Clock::now() < until && !lost) {
      CHECK_OK(driver.launch(
          fma, FmaArgs{reinterpret_cast<void*>(out), 0.5, 0.25, reinterpret_cast<u64*>(clocks), 1000, 1}, 1, stream));
      lost = driver.call.stream_wait(stream) != 0;
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  unsigned long long joules = 0;
  const int code = driver.nvidia ? ask("nvmlDeviceGetTotalEnergyConsumption", card.handle, &joules) : 0;
  if (code == 0) {
    observe(card, seconds, "busy");
    if (driver.nvidia) print_nvidia(card);
  }
  load.join();
  std::printf("\"energy_code\":%d}\n", code);
}

}  // namespace

void read_telemetry(const Driver& driver) { read(driver, 1.2); }
/** Long enough for everything except energy, which is refreshed ten times per second. */
void read_telemetry_briefly(const Driver& driver) { read(driver, 0.2); }

/** Prints where the links of NVIDIA's device 0 lead, as "count x PCI id", and the connection to device 1. */
void list_links(const Driver& driver) {
  driver.open();
  Card card{};
  if (!begin(driver, &card)) return;
  std::map<std::string, int> ends;
  for (unsigned link = 0; link < 18; ++link) {
    int active = 0;
    // nvmlPciInfo_t ends with the id as text.
    struct {
      unsigned char before[36];
      char bus_id[32];
    } remote{};
    if (ask("nvmlDeviceGetNvLinkState", card.handle, link, &active) != 0 || !active) continue;
    CHECK_OK(ask("nvmlDeviceGetNvLinkRemotePciInfo_v2", card.handle, link, static_cast<void*>(&remote)));
    ++ends[remote.bus_id];
  }
  for (const auto& [bus_id, count] : ends) std::printf("%dx%s ", count, bus_id.c_str());
  char pci[16];
  void* peer = nullptr;
  int level = 0, nvlink = 0, rank = 0;
  CHECK_OK(driver.call.device_pci_id(pci, sizeof pci, 1));
  CHECK_OK(ask("nvmlDeviceGetHandleByPciBusId_v2", static_cast<const char*>(pci), &peer));
  CHECK_OK(ask("nvmlDeviceGetTopologyCommonAncestor", card.handle, peer, &level));
  CHECK_OK(ask("nvmlDeviceGetP2PStatus", card.handle, peer, 2, &nvlink));
  CHECK_OK(driver.call.cu_p2p_attribute(&rank, 1, 0, 1));
  std::printf("level %d nvlink %d rank %d\n", level, nvlink, rank);
}

}  // namespace client
