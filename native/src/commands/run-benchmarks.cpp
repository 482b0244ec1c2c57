#include <cstdio>

#include "commands.h"
#include "commands/find-device.h"
#include "measure/stop.h"

namespace gpumark {
namespace {

/** Mean over best slice time: about 1.03 on a quiet machine, 1.5 and more when somebody else wants the cores. */
constexpr double kContended = 1.10;

int exit_code_of(const Recorder& recorder) {
  if (output_lost()) return kExitOutputLost;
  if (stop_requested()) return 128 + stop_signal();
  return recorder.any_wrong() ? kExitWrong : kExitOk;
}

}  // namespace

int run_benchmarks(const CommandLine& line) {
  Emitter emitter(1);
  stop_when_reader_leaves(1);
  const FoundDevice found = find_device(line.device, line.options, emitter);
  if (!found.backend) {
    emitter.summary({kExitNoDevice, false, std::nullopt});
    return kExitNoDevice;
  }
  const std::string& id = found.device.device_id;
  Recorder recorder(emitter, id);
  const std::unique_ptr<Session> session = found.backend->open(found.device, line.options, recorder);
  const int count = static_cast<int>(line.options.benchmarks.size());
  for (int index = 0; index < count && !output_lost(); ++index) {
    const BenchmarkSpec& spec = *find_benchmark(line.options.benchmarks[static_cast<std::size_t>(index)]);
    const double expected = session->expected_seconds(spec);
    recorder.begin(spec);
    emitter.phase(id, spec.id, "start", expected, index, count);
    std::fprintf(stderr, "%s (%d of %d)\n", spec.id, index + 1, count);
    // After a stop only the sensors are still read: their figures cover what did run.
    if (!stop_requested() || spec.quick_seconds == 0) session->run(spec, recorder);
    recorder.finish(stop_requested() ? "the run was stopped before this was measured" : "the benchmark gave too few samples");
    emitter.phase(id, spec.id, "end", expected, index, count);
  }
  if (stop_signal() != 0) {
    emitter.failure(id, {"interrupted", "stopped by signal " + std::to_string(stop_signal()) + "; what was measured until then is above",
                         "Run it again and let it finish for a complete result."});
  }
  const int exit_code = exit_code_of(recorder);
  const std::optional<double> ratio = recorder.contention_ratio();
  emitter.summary({exit_code, ratio && *ratio > kContended, ratio});
  return exit_code;
}

}  // namespace gpumark
