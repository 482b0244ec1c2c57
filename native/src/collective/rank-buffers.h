// The two buffers of every rank: allocated alike on all nodes, filled, and compared.
#pragma once
#include "collective/measure-collective.h"

namespace gpumark {

/**
 * Buffers of one size on all ranks of the job: the largest of smallest * step^k up to `largest` for which everybody has
 * room.
 * @returns that size
 * @throws GpuError with gpu_code::kOutOfMemory if some rank has not even room for the smallest
 */
std::size_t allocate_buffers(RankGroup& group, std::size_t max_memory_bytes, std::size_t smallest, std::size_t largest,
                             std::size_t step);
/** Gives every rank its own numbers; see data-pattern.h. */
void fill_inputs(RankGroup& group);
/**
 * Poisons the outputs, runs the operation once over `count` floats and compares every element on every rank of the job.
 * @param name for the message
 * @throws WrongCollective on all ranks if one element of any is wrong
 */
void prove(RankGroup& group, CollectiveKind kind, std::size_t count, const char* name);

}  // namespace gpumark
