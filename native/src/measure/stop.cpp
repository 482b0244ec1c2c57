#include "measure/stop.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <thread>

namespace gpumark {
namespace {

volatile std::sig_atomic_t received_signal = 0;
std::atomic<bool> is_output_lost{false};

void on_stop(int signal) { received_signal = signal; }

}  // namespace

void install_stop_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_stop;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A closed terminal stops the run like Ctrl-C, unless it was started with nohup.
  struct sigaction inherited = {};
  sigaction(SIGHUP, nullptr, &inherited);
  if (inherited.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

int stop_signal() { return received_signal; }

void stop_when_reader_leaves(int file_descriptor) {
  // The thread blocks in the kernel and does not disturb the measurement. A failed write would be noticed too late: a
  // benchmark may emit nothing for minutes. A parent-death signal would also end a run started by hand whose shell has
  // exited.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([file_descriptor] {
    // No events requested: only error and hang-up, which are always reported, wake it.
    pollfd output = {file_descriptor, 0, 0};
    while (poll(&output, 1, -1) < 0 && errno == EINTR) continue;
    if (output.revents != 0) lose_output();
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void lose_output() { is_output_lost = true; }
bool output_lost() { return is_output_lost; }
bool stop_requested() { return stop_signal() != 0 || output_lost(); }

}  // namespace gpumark
