// The input and output buffer of every rank: allocated with the same size on all nodes, filled, and verified.
#pragma once
#include "collective/measure-collective.h"

namespace gpumark {

/**
 * Allocates buffers of one size on all ranks of the job: the largest smallest * step^k up to `largest` that fits on
 * every rank.
 * @returns that size
 * @throws GpuError with gpu_code::kOutOfMemory if the smallest does not fit on some rank
 */
std::size_t allocate_buffers(RankGroup& group, std::size_t max_memory_bytes, std::size_t smallest, std::size_t largest,
                             std::size_t step);
/** Fills every rank's input with its own numbers; see data-pattern.h. */
void fill_inputs(RankGroup& group);
/**
 * Poisons the outputs, runs the operation once over `count` floats and verifies every element on every rank of the job.
 * @param name for the message
 * @throws WrongCollective on all ranks if one element of any is wrong
 */
void prove(RankGroup& group, CollectiveKind kind, std::size_t count, const char* name);

}  // namespace gpumark
