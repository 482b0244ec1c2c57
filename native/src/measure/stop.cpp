#include "measure/stop.h"

#include <csignal>

namespace gpumark {
namespace {

volatile std::sig_atomic_t received_signal = 0;

void on_stop(int signal) { received_signal = signal; }

}  // namespace

void install_stop_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_stop;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

int stop_signal() { return received_signal; }

}  // namespace gpumark
