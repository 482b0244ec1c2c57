#include "gpu/kernel-trials.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/wait.h>

#include "gpu/gemm/gemm-engine.h"
#include "gpu/gemm/own-kernels.h"
#include "gpu/gpu-benchmark.h"
#include "gpu/vendor.h"
#include "measure/progress.h"
#include "measure/stop.h"
#include "measure/time.h"
#include "own-process.h"

namespace gpumark {
namespace {

constexpr int kLookMs = 100;
/** Of one trial, and of the start of the runtime: both take seconds at most. */
constexpr double kMostSeconds = 60;
/** After as many kernels that ended their process, or processes, the rest are refused untried. */
constexpr int kMostEnds = 4, kMostProcesses = 12;

/** What one process of trials came to. */
struct Trials {
  int concluded = 0;
  /** The kernel on trial at its end; empty if there was none. */
  std::string on_trial;
  /** "ended its process by signal 6 (Aborted)"; empty if it ended by itself. */
  std::string death;
  int exit_code = 0;
  bool stopped = false;
};

/** The kernels of the run's benchmarks, and of `type`. */
std::set<std::string> wanted_kernels(const RunOptions& options, std::optional<GemmType> type) {
  std::set<std::string> kernels;
  const auto has = [&](const std::string& id) {
    return std::find(options.benchmarks.begin(), options.benchmarks.end(), id) != options.benchmarks.end();
  };
  for (const OwnKernel& kernel : own_kernels()) {
    const bool as_fp32 = kernel.type == GemmType::tf32 || kernel.type == GemmType::fp32_matrix;
    if (kernel.type == type || has(as_fp32 ? "gemm_fp32" : std::string("gemm_") + spec_of(kernel.type).name))
      kernels.insert(kernel.name);
  }
  for (const IssueKernel& kernel : issue_kernels()) {
    if (!type || has("matrix_issue")) kernels.insert(kernel.name);
  }
  return kernels;
}

Trials run_trials(const GpuRun& run, const std::set<std::string>& kernels, std::set<std::string>& done) {
  Trials trials;
  std::string names;
  for (const std::string& kernel : kernels) {
    if (!done.count(kernel)) names += (names.empty() ? "" : ",") + kernel;
  }
  if (names.empty()) return trials;
  const std::vector<std::string> words = {"try-kernels",
                                          "--device",
                                          run.gpu.device().id,
                                          "--kernels",
                                          names,
                                          "--sysfs-root",
                                          run.options.sysfs_root,
                                          "--data",
                                          run.options.random_data ? "random" : "zeros",
                                          "--seed",
                                          std::to_string(run.options.seed)};
  OwnProcess process;
  trials.death = process.start(words, "");
  if (!trials.death.empty()) {
    trials.death = "could not begin (" + trials.death + ")";
    return trials;
  }
  double until = now_seconds() + kMostSeconds;
  std::string line;
  for (OwnProcess::Read read; (read = process.read_line(line, kLookMs)) != OwnProcess::Read::end;) {
    // This wait has an end of its own.
    note_progress();
    trials.stopped = stop_requested();
    if (trials.stopped || now_seconds() > until) {
      process.signal(SIGKILL);
      process.wait();
      trials.death = "did not end within " + std::to_string(static_cast<int>(kMostSeconds)) + " s";
      return trials;
    }
    if (read == OwnProcess::Read::nothing) continue;
    until = now_seconds() + kMostSeconds;
    if (line.rfind(kTrialBegins, 0) == 0) trials.on_trial = line.substr(std::strlen(kTrialBegins));
    if (line.rfind(kTrialEnds, 0) != 0) continue;
    done.insert(line.substr(std::strlen(kTrialEnds)));
    trials.on_trial.clear();
    ++trials.concluded;
  }
  const int status = process.wait();
  trials.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (WIFSIGNALED(status))
    trials.death = "ended its process by signal " + std::to_string(WTERMSIG(status)) + " (" +
                   strsignal(WTERMSIG(status)) + "), as the runtime does for a kernel that faults";
  return trials;
}

}  // namespace

void try_kernels_apart(GpuRun& run, std::optional<GemmType> type) {
  if (!run.gpu.driver().vendor().faults_end_process || run.options.is_trial) return;
  const std::set<std::string> kernels = run.trust.begin_apart(wanted_kernels(run.options, type));
  std::set<std::string> done;
  int ends = 0;
  for (int processes = 0;; ++processes) {
    const Trials trials = run_trials(run, kernels, done);
    if (trials.stopped) return run.trust.refuse_but(done, "the run was stopped before its trial");
    if (trials.death.empty()) {
      if (trials.exit_code == 0) return;
      // After an error that the runtime reported the next process tries the others.
      if (trials.concluded > 0 && processes < kMostProcesses) continue;
      return run.trust.refuse_but(done, "not tried: the process for trials of our kernels ended with exit code " +
                                            std::to_string(trials.exit_code));
    }
    if (trials.on_trial.empty())
      return run.trust.refuse_but(done, "not tried: the process for trials of our kernels " + trials.death);
    const std::string reason = "its trial " + trials.death;
    std::fprintf(stderr, "%s is not used: %s\n", trials.on_trial.c_str(), reason.c_str());
    run.trust.refuse(trials.on_trial, reason);
    done.insert(trials.on_trial);
    if (++ends == kMostEnds || processes == kMostProcesses)
      return run.trust.refuse_but(done, "not tried, since the trials of several of our kernels ended their process");
  }
}

void try_all_kernels(GpuRun& run) {
  // Listing its candidates makes our engine verify every kernel that this device has.
  const std::unique_ptr<GemmEngine> own = make_own_engine(run);
  for (const GemmType type : kGemmTypes) own->candidates(type, {256, 256, 256});
  try_issue_kernels(run);
}

}  // namespace gpumark
