#include "unit-emulator.h"

#if defined(__x86_64__)
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "emulated-instruction.h"
#include "emulated-registers.h"
#include "emulated-tiles.h"
#include "emulated-vectors.h"

namespace emulated {
namespace {

std::atomic<std::uint64_t> vector_products{0}, bf16_products{0}, fp16_products{0};

void refuse(const std::uint8_t* code) {
  char text[128];
  const int length =
      std::snprintf(text, sizeof text, "FAILED: the emulator does not know %02x %02x %02x %02x %02x %02x\n", code[0],
                    code[1], code[2], code[3], code[4], code[5]);
  // Nothing can be done about a lost message: the process ends here.
  if (write(1, text, static_cast<std::size_t>(length)) < 0) _exit(2);
  _exit(1);
}

bool execute(const Instruction& in, ucontext_t& context) {
  if (in.encoding == Encoding::vex) {
    if (in.map == 2 && in.opcode == 0x5c) ++(in.prefix == 2 ? bf16_products : fp16_products);
    return execute_tile(in);
  }
  if (in.map == 2 && in.opcode == 0x52) ++vector_products;
  Registers registers(context);
  return execute_vector(in, context, registers);
}

void on_refused_instruction(int, siginfo_t*, void* raw) {
  ucontext_t& context = *static_cast<ucontext_t*>(raw);
  // A processor that refuses one EVEX instruction refuses the next too: a signal for each run of them is enough.
  Encoding encoding = Encoding::vex;
  do {
    const auto* code = reinterpret_cast<const std::uint8_t*>(context.uc_mcontext.gregs[REG_RIP]);
    Instruction in;
    if (!decode(code, context, in) || !execute(in, context)) return refuse(code);
    context.uc_mcontext.gregs[REG_RIP] += in.length;
    encoding = in.encoding;
  } while (encoding == Encoding::evex &&
           *reinterpret_cast<const std::uint8_t*>(context.uc_mcontext.gregs[REG_RIP]) == 0x62);
}

}  // namespace

void catch_refused_instructions() {
  struct sigaction action = {};
  action.sa_sigaction = on_refused_instruction;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGILL, &action, nullptr);
}

void unblock_on_this_thread() {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGILL);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

void clear_upper_halves() { forget_upper_halves(); }

Counts counts() { return {vector_products, bf16_products, fp16_products}; }

}  // namespace emulated

#endif
