// One function per command; each returns the exit code and, except for version, registry and usage, ends with a summary
// event.
#pragma once
#include "command-line.h"

namespace gpumark {

inline constexpr int kExitOk = 0;
inline constexpr int kExitOutputLost = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitDeviceFailed = 4;
inline constexpr int kExitNoDevice = 5;
inline constexpr int kExitWrong = 6;

int list_devices(const CommandLine& line);
/** Prints the compiled-in tables as one JSON document. */
int print_tables();
/** Prints the part of them that the agent is built with: agent/kernels/registry.json. */
int print_registry();
int run_benchmarks(const CommandLine& line);
int run_matrix(const CommandLine& line);
int run_self_test(const CommandLine& line);
/** Started by another runner, with which it shares no event. */
int try_kernels(const CommandLine& line);
/** Serves commands until stdin ends; emits no summary. */
int run_link(const CommandLine& line);
int run_collective(const CommandLine& line);
int print_version();

}  // namespace gpumark
