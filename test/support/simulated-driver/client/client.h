// Tests the simulated drivers: a program that loads one through the runner's table and checks its behaviour. Each check
// runs in its own process; the environment defines what is simulated.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "gpu/driver-table.h"
#include "kernels.h"

/** If the condition is false, ends the process and prints the expression and its location. */
#define CHECK(condition) ((condition) ? void() : client::fail(#condition, __FILE__, __LINE__))
/** The same for the result of a call, which is printed too. */
#define CHECK_CODE(call, expected) client::check_code((call), (expected), #call, __FILE__, __LINE__)
#define CHECK_OK(call) CHECK_CODE(call, 0)

namespace client {

[[noreturn]] void fail(const char* expression, const char* file, int line);
void check_code(int code, int expected, const char* call, const char* file, int line);

/** The calls of both drivers; those of the driver that is not loaded are null. */
struct AllCalls : gpumark::DriverTable, gpumark::CudaCalls, gpumark::HipCalls {};

struct Driver {
  bool nvidia;
  void* library;
  AllCalls call;
  /** Folder of the device images. */
  std::string images;

  /** Makes `ordinal` the device of this thread. @returns its context, CUDA only */
  gpumark::Handle use(int ordinal) const;
  /** Initialises the driver and makes `ordinal` the current device. */
  void open(int ordinal = 0) const;
  /** Loads this image. @returns its module */
  gpumark::Handle load(const std::string& file) const;
  gpumark::Handle function(gpumark::Handle module, const char* name) const;
  /** The image for the default device of this vendor. */
  const char* default_image() const { return nvidia ? "sm_90.cubin" : "gfx942.hsaco"; }
  gpumark::DevicePointer allocate(std::size_t bytes) const;
  /** Copies to the host and waits. */
  void fetch(void* to, gpumark::DevicePointer from, std::size_t bytes) const;
  gpumark::Handle stream() const;

  template <class Args>
  int launch(gpumark::Handle function, Args arguments, unsigned blocks, gpumark::Handle stream) const {
    void* pointers[] = {&arguments};
    return call.launch(function, blocks, 1, 1, gpumark::device::kBlockThreads, 1, 1, 0, stream, pointers, nullptr);
  }
};

std::vector<unsigned char> read_file(const std::string& path);

/** Pinned host memory that a kernel waits on. */
struct Gate {
  explicit Gate(const Driver& driver, gpumark::Handle module);
  /** Makes the stream wait until open() is called, for at most one second. */
  void close(gpumark::Handle stream);
  void open();
  bool expired() const;

  const Driver& driver;
  gpumark::Handle spin;
  unsigned* words = nullptr;
  gpumark::DevicePointer address = 0;
};

struct Command {
  const char* name;
  void (*run)(const Driver& driver);
};
extern const std::vector<Command> kCommands;

void check_symbols(const Driver&);
void check_contexts(const Driver&);
void list(const Driver&);
void check_kernels(const Driver&);
void check_gate(const Driver&);
void check_streams(const Driver&);
void check_graph(const Driver&);
void check_memory(const Driver&);
void check_tensor_maps(const Driver&);
void check_peers(const Driver&);
void try_images(const Driver&);
void meet_fault(const Driver&);
void check_flips(const Driver&);
void time_work(const Driver&);
void read_telemetry(const Driver&);
void read_telemetry_briefly(const Driver&);
void list_links(const Driver&);

}  // namespace client
