// What every thread of an issue probe writes after `rounds` rounds: all inputs are alike and chosen so that the sums are exact in fp32 and
// known beforehand. A host that reads anything else has not measured what it thinks. One function for each row of the lists
// GPUMARK_..._ISSUE, named issue_expected_<family>_<type>.
#pragma once

namespace gpumark::device {

/** wgmma: instructions of a warpgroup in one round. */
constexpr unsigned kWgmmaIssueInstructions = 16;
/**
 * Every product is 2^-10, so that one round adds kWgmmaIssueInstructions * depth * 2^-10 to each of a thread's 128 sums, depth elements of k
 * being 32 bytes; the next round takes it away again.
 */
constexpr float issue_expected_wgmma(unsigned long long rounds, unsigned depth) {
  return rounds % 2 ? 128.0f * static_cast<float>(kWgmmaIssueInstructions * depth) / 1024.0f : 0.0f;
}
inline float issue_expected_wgmma_fp16(unsigned long long rounds) { return issue_expected_wgmma(rounds, 16); }
inline float issue_expected_wgmma_bf16(unsigned long long rounds) { return issue_expected_wgmma(rounds, 16); }
inline float issue_expected_wgmma_tf32(unsigned long long rounds) { return issue_expected_wgmma(rounds, 8); }
inline float issue_expected_wgmma_fp8(unsigned long long rounds) { return issue_expected_wgmma(rounds, 32); }

}  // namespace gpumark::device
