// The recorder against a device whose share of time is made up.
#include <string>
#include <unistd.h>

#include "measure/recorder.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

/** Timed work of which the core was had for a part, as the thread pool counts it. */
struct Work {
  double timed = 0, had = 0;
  double slice(double part) {
    timed += 1;
    had += part;
    return 1;
  }
  std::optional<double> take() {
    if (timed == 0) return std::nullopt;
    const double share = had / timed;
    timed = had = 0;
    return share;
  }
};

/** What the recorder said since the last call; a thread of the emitter's writes it. */
std::string said(Emitter& emitter, int file_descriptor) {
  emitter.flush(60);
  char text[8192];
  const ssize_t length = read(file_descriptor, text, sizeof text);
  return std::string(text, length > 0 ? static_cast<std::size_t>(length) : 0);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Result figure(const char* metric) {
  Result r;
  r.metric = metric;
  r.value = 1;
  return r;
}

void shares(Emitter& emitter, int from) {
  Recorder recorder(emitter, "cpu-0");
  Work work;
  recorder.ask_share([&] { return work.take(); });
  recorder.begin(*find_benchmark("fma"));
  work.slice(0.1);
  recorder.series(0, 4, 4, [&] { return work.slice(1); });
  work.slice(0.1);
  recorder.result(figure("fma_fp32_tflops"));
  check(contains(said(emitter, from), "\"core_share\":1}"),
        "trials before a series and checks after it do not count towards its share");
  check(recorder.contention_ratio() == 1.0, "nor towards contention");
  recorder.series(0, 4, 4, [&] { return work.slice(0.5); });
  recorder.result(figure("fma_fp64_tflops"));
  check(contains(said(emitter, from), "\"core_share\":0.5}"), "the second series of a benchmark has its own share");
  check(recorder.contention_ratio() == 2.0, "half a core is contention of 1 / 0.5");
  recorder.begin(*find_benchmark("gemm_fp32"));
  recorder.series(0, 4, 4, [&] { return work.slice(0.75); });
  recorder.result(figure("fp32_tflops"));
  recorder.result(figure("fp32_cuda_core_tflops"));
  const std::string both = said(emitter, from);
  check(
      contains(both, "\"core_share\":0.75}") && both.find("\"core_share\":0.75}") != both.rfind("\"core_share\":0.75}"),
      "two figures of one series carry the same share");
  recorder.begin(*find_benchmark("energy"));
  recorder.result(figure("energy_consumption_wh"));
  check(!contains(said(emitter, from), "core_share"), "a figure without a series has no share");
}

void answers(Emitter& emitter, int from) {
  Recorder recorder(emitter, "cpu-0");
  recorder.begin(*find_benchmark("fma"));
  recorder.result(figure("fma_fp32_tflops"));
  recorder.missing("fma_fp32_tflops", "run again");
  recorder.result(figure("fma_fp64_tflops"));
  const std::string both = said(emitter, from);
  check(contains(both, "fma_fp64_tflops") && both.find("fma_fp32_tflops") == both.rfind("fma_fp32_tflops"),
        "a benchmark that is run again answers no metric twice");
}

void absences(Emitter& emitter, int from) {
  Recorder recorder(emitter, "cpu-0");
  recorder.begin(*find_benchmark("gemm_fp8"));
  recorder.finish("no such instructions", Absence::hardware);
  check(contains(said(emitter, from), "\"absence\":\"hardware\""), "what the device cannot do is absent by hardware");
  recorder.begin(*find_benchmark("memory"));
  recorder.finish("too few samples");
  check(contains(said(emitter, from), "\"absence\":\"failed\""), "an absence that nobody explains is a failure");
  recorder.begin(*find_benchmark("memory"));
  Result negative = figure("memory_bandwidth_gbs");
  negative.value = -1;
  negative.absence = Absence::hardware;
  recorder.result(negative);
  check(contains(said(emitter, from), "\"absence\":\"failed\""), "an unusable number is a failure");
  recorder.begin(*find_benchmark("memory"));
  recorder.result(figure("memory_bandwidth_gbs"));
  check(!contains(said(emitter, from), "absence"), "a figure with a value is not absent");
}

}  // namespace

void check_recorder() {
  int ends[2];
  if (pipe(ends) != 0) return check(false, "a pipe for the recorder");
  Emitter emitter(ends[1]);
  shares(emitter, ends[0]);
  answers(emitter, ends[0]);
  absences(emitter, ends[0]);
  close(ends[0]);
  close(ends[1]);
}
