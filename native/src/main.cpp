// Entry point.
#include <cstdio>

#include "commands.h"
#include "measure/stop.h"

int main(int argc, char** argv) {
  using namespace gpumark;
  install_stop_handlers();
  const CommandLine line = parse_command_line(std::vector<std::string>(argv + 1, argv + argc));
  switch (line.command) {
    case Command::list: return list_devices(line);
    case Command::tables: return print_tables();
    case Command::registry: return print_registry();
    case Command::run: return run_benchmarks(line);
    case Command::matrix: return run_matrix(line);
    case Command::self_test: return run_self_test(line);
    case Command::try_kernels: return try_kernels(line);
    case Command::link: return run_link(line);
    case Command::collective_probe:
    case Command::collective_id:
    case Command::collective: return run_collective(line);
    case Command::version: return print_version();
    case Command::help: std::fputs(usage_text().c_str(), stdout); return kExitOk;
    default: std::fprintf(stderr, "%s\n%s", line.problem.c_str(), usage_text().c_str()); return kExitUsage;
  }
}
