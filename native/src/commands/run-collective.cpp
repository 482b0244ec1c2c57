#include <cstdlib>

#include "collective/measure-collective.h"
#include "collective/unique-id.h"
#include "collective/watchdog.h"
#include "commands.h"
#include "gpu/images.h"
#include "measure/stop.h"
#include "measure/time.h"
#include "protocol/event-output.h"

namespace gpumark {
namespace {

/** Time for the last operation's data to leave, and for the devices to be released. */
constexpr double kClosingSeconds = 5;

/** Usable devices of a started driver, by the same rules as `run`. */
std::vector<GpuDevice> usable_devices(const GpuDriver& driver, const std::string& sysfs_root) {
  std::vector<GpuDevice> usable;
  if (driver.status() != "ok") return usable;
  for (const GpuDevice& device : identify_all(driver, sysfs_root)) {
    if (device.problem.empty() && !images_for(device.architecture).empty()) usable.push_back(device);
  }
  return usable;
}

std::unique_ptr<CollectiveLibrary> open_library(const GpuDriver& driver, std::string& reason) {
  const char* given = std::getenv(driver.vendor().collective_variable);
  return CollectiveLibrary::open(driver, SearchEnvironment::of_process(), given ? given : "", reason);
}

/** Emits one event per vendor: ok; absent: no usable library; no-device: no usable device. */
void tell_library(const Vendor& vendor, const std::string& sysfs_root, Emitter& emitter) {
  const GpuDriver& driver = driver_of(vendor);
  const std::vector<GpuDevice> devices = usable_devices(driver, sysfs_root);
  std::string reason = driver.detail();
  const std::unique_ptr<CollectiveLibrary> library = devices.empty() ? nullptr : open_library(driver, reason);
  if (devices.empty() && reason.empty()) reason = "no device of this vendor is usable";
  JsonObject line = Emitter::begin("collective_library");
  line.text("backend", vendor.backend).text("library", vendor.collective_name);
  line.text("status", library ? "ok" : devices.empty() ? "no-device" : "absent").text("detail", library ? "" : reason);
  library ? line.text("version", library->version()).text("path", library->path()) : line.null("version").null("path");
  emitter.write_line(
      line.integer("devices", static_cast<std::int64_t>(devices.size())).boolean("simulated", driver.simulated()));
}

std::vector<JsonObject> figures_of(const std::vector<CollectiveFigure>& figures) {
  std::vector<JsonObject> objects;
  for (const CollectiveFigure& one : figures) {
    objects.push_back(JsonObject{}
                          .number("bytes", static_cast<double>(one.bytes))
                          .number("seconds", one.seconds.median)
                          .number("algorithm_gbs", one.algorithm_gbs)
                          .number("bus_gbs", one.bus_gbs)
                          .integer("samples", one.seconds.n)
                          .integer("operations_per_sample", one.operations_per_sample)
                          .boolean("held_until_enqueued", one.held)
                          .number("min_seconds", one.seconds.min)
                          .number("max_seconds", one.seconds.max));
  }
  return objects;
}

void tell_figures(const CollectiveOptions& options, const CollectiveLibrary& library, const RankGroup& group,
                  std::size_t devices, const CollectiveFigures& figures, Emitter& emitter) {
  JsonObject line = Emitter::begin("collective");
  line.text("library", library.name()).text("version", library.version()).text("path", library.path());
  line.integer("nodes", figures.nodes)
      .integer("ranks", group.ranks())
      .integer("first_rank", options.first_rank)
      .integer("devices", static_cast<std::int64_t>(devices));
  line.objects("all_reduce", figures_of(figures.all_reduce)).objects("broadcast", figures_of(figures.broadcast));
  emitter.write_line(
      line.text("limited_by", figures.limited_by).boolean("verified", true).boolean("simulated", library.simulated()));
}

/** Opens the library for the life of the process, or ends the process with the reason. */
const CollectiveLibrary& need_library(const GpuDriver& driver, Watchdog& watchdog) {
  std::string reason;
  const CollectiveLibrary* library = open_library(driver, reason).release();
  if (!library)
    watchdog.fail({"collective_unavailable", reason,
                   "Install it on every node of the job, or name it in " +
                       std::string(driver.vendor().collective_variable) + "."},
                  kExitNoDevice);
  return *library;
}

/**
 * The library creates the id and listens, in this process, for the ranks that use it: so the process stays until its
 * stdin is closed or its deadline passes.
 */
int keep_unique_id(const CollectiveLibrary& library, Emitter& emitter, Watchdog& watchdog) {
  UniqueId id{};
  library.check(library.call().get_unique_id(&id), "ncclGetUniqueId");
  emitter.write_line(Emitter::begin("collective_id")
                         .text("library", library.name())
                         .text("unique_id", unique_id_text(id))
                         .boolean("simulated", library.simulated()));
  watchdog.set_stage("keeping the id");
  wait_for_end(0);
  watchdog.closing(kClosingSeconds, kExitOk);
  return kExitOk;
}

int measure(const CommandLine& line, const GpuDriver& driver, const CollectiveLibrary& library, Emitter& emitter,
            Watchdog& watchdog) {
  const CollectiveOptions& options = line.collective;
  watchdog.set_stage("waiting for the id on stdin");
  const std::optional<UniqueId> id = parse_unique_id(read_line(0));
  if (!id)
    watchdog.fail({"collective_failed", "stdin does not hold an id of 256 hexadecimal digits",
                   "Pass on what --unique-id printed."},
                  kExitUsage);
  std::vector<GpuDevice> devices = usable_devices(driver, line.options.sysfs_root);
  const std::size_t wanted = options.devices > 0 ? static_cast<std::size_t>(options.devices) : devices.size();
  const std::string count = std::to_string(devices.size());
  if (devices.empty() || devices.size() < wanted) {
    watchdog.fail(
        {"no_usable_device", driver.status() != "ok" ? driver.detail() : "only " + count + " devices are usable",
         "See `gpumark-runner --list` for the devices of this machine."},
        kExitNoDevice);
  }
  devices.resize(wanted);
  if (options.first_rank + static_cast<int>(wanted) > options.ranks) {
    watchdog.fail({"collective_failed",
                   std::to_string(wanted) + " devices from rank " + std::to_string(options.first_rank) +
                       " exceed the job's " + std::to_string(options.ranks) + " ranks",
                   "All nodes must agree on the number of devices."},
                  kExitUsage);
  }
  // Shared with the watchdog: while an exception unwinds this function, the watchdog must still have a group to abort.
  const auto group = std::make_shared<RankGroup>(driver, library, devices, options.first_rank, options.ranks);
  watchdog.set_stage("waiting for all " + std::to_string(options.ranks) + " ranks to join");
  group->join(*id);
  watchdog.watch([group] { return group->fault(); }, [group] { group->abort(); });
  watchdog.set_stage("measuring");
  const CollectiveFigures figures = measure_collectives(*group, {watchdog.deadline(), line.options.max_memory_bytes});
  watchdog.closing(kClosingSeconds, kExitOk);
  // Reported before the communicator is destroyed, which can hang: all figures are complete.
  tell_figures(options, library, *group, wanted, figures, emitter);
  group->leave();
  return kExitOk;
}

}  // namespace

int run_collective(const CommandLine& line) {
  const CollectiveOptions& options = line.collective;
  Emitter emitter(event_output());
  if (line.command == Command::collective_probe) {
    for (const Vendor* vendor : vendors()) tell_library(*vendor, line.options.sysfs_root, emitter);
    emitter.summary({kExitOk, false, std::nullopt});
    return emitter.finish() ? kExitOk : kExitOutputLost;
  }
  stop_when_reader_leaves(event_output());
  Watchdog watchdog(now_seconds() + options.deadline_seconds, emitter);
  int exit_code = kExitOk;
  try {
    const GpuDriver& driver = driver_of(*find_vendor(options.backend));
    const CollectiveLibrary& library = need_library(driver, watchdog);
    exit_code = line.command == Command::collective_id ? keep_unique_id(library, emitter, watchdog)
                                                       : measure(line, driver, library, emitter, watchdog);
  } catch (const WrongCollective& wrong) {
    watchdog.fail({"verification_failed", wrong.what(),
                   "Suspect the memory or the links of that device; NCCL_DEBUG=INFO shows the path of the data."},
                  kExitWrong);
  } catch (const GpuError& error) {
    watchdog.fail(
        {error.code == gpu_code::kOutOfMemory && error.name.find("memory") != std::string::npos ? "out_of_memory"
                                                                                                : "collective_failed",
         error.what(), "NCCL_DEBUG=WARN makes the library log more."},
        kExitDeviceFailed);
  } catch (const std::exception& error) {
    watchdog.fail(
        {"collective_failed", error.what(), "Run it again; if the failure persists, report it to the project."},
        kExitDeviceFailed);
  }
  emitter.summary({exit_code, false, std::nullopt});
  return emitter.finish() ? exit_code : kExitOutputLost;
}

}  // namespace gpumark
