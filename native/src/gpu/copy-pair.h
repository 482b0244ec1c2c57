// Copies between two GPUs of one driver, in both directions.
#pragma once
#include "gpu/gpu-memory.h"
#include "protocol/emitter.h"

namespace gpumark {

inline constexpr const char* kStopped = "the run was stopped before this was measured";

/** One end of a copy: an opened device with a buffer to send and one to receive into. */
struct CopyPort {
  GpuContext gpu;
  GpuMemory out, in;
  GpuEvent begun, ended;
  /** Checksum of `out`. */
  std::uint64_t sent = 0;

  /** @throws GpuError */
  CopyPort(const GpuDriver& driver, const GpuDevice& device, std::size_t bytes, const RunOptions& options);
};

/** The cell's fields that are known without a copy: devices and connection. */
Cell describe_cell(const GpuDriver& driver, const GpuDevice& from, const GpuDevice& to);
/** Removes a cell's figures and sets the reason. */
void refuse(Cell& cell, const std::string& reason);

/**
 * Measures both directions of a pair, each alone and both at once, `seconds` per series, and compares every byte that
 * arrived.
 * @throws GpuError; the cells are then invalid
 */
void measure_copy_pair(const GpuDriver& driver, CopyPort& a, CopyPort& b, double seconds, Cell& ab, Cell& ba);

}  // namespace gpumark
