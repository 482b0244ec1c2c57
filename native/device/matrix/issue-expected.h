// What every thread of an issue probe writes after `rounds` rounds: all inputs are alike and chosen so that the sums
// are exact in fp32 and known beforehand. A host that reads anything else has not measured what it thinks. One function
// for each row of the lists GPUMARK_..._ISSUE, named issue_expected_<family>_<type>.
#pragma once

namespace gpumark::device {

/**
 * wgmma and tcgen05: instructions of a round, for each tile of sums, and rounds until the products change their sign.
 */
constexpr unsigned kUnitIssueInstructions = 16, kUnitIssueTurn = 64;
/**
 * Every product is 2^-10, so that a round adds kUnitIssueInstructions * depth * 2^-10 to each of a thread's sums, depth
 * elements of k being 32 bytes; after kUnitIssueTurn rounds as many take it away again. Even the steps of fp8, 2^-5 up
 * to 64 * 16 * 2^-5, are no more than 10 bits.
 */
constexpr float issue_expected_unit(unsigned long long rounds, unsigned depth, unsigned sums) {
  const unsigned long long place = rounds % (2 * kUnitIssueTurn),
                           net = place <= kUnitIssueTurn ? place : 2 * kUnitIssueTurn - place;
  return static_cast<float>(net * kUnitIssueInstructions * depth * sums) / 1024.0f;
}
inline float issue_expected_wgmma_fp16(unsigned long long rounds) { return issue_expected_unit(rounds, 16, 128); }
inline float issue_expected_wgmma_bf16(unsigned long long rounds) { return issue_expected_unit(rounds, 16, 128); }
inline float issue_expected_wgmma_tf32(unsigned long long rounds) { return issue_expected_unit(rounds, 8, 128); }
inline float issue_expected_wgmma_fp8(unsigned long long rounds) { return issue_expected_unit(rounds, 32, 128); }
inline float issue_expected_tcgen05_fp16(unsigned long long rounds) { return issue_expected_unit(rounds, 16, 256); }
inline float issue_expected_tcgen05_bf16(unsigned long long rounds) { return issue_expected_unit(rounds, 16, 256); }
inline float issue_expected_tcgen05_tf32(unsigned long long rounds) { return issue_expected_unit(rounds, 8, 256); }
inline float issue_expected_tcgen05_fp8(unsigned long long rounds) { return issue_expected_unit(rounds, 32, 256); }

/**
 * mma.sync: instructions of a warp in one round (fp64 on sm_80: four for each), into 8 sums of 4 numbers per lane;
 * rounds until the products change their sign.
 */
constexpr unsigned kMmaSyncIssueInstructions = 64, kMmaSyncIssueTurn = 64;
/**
 * Every product is 1; after kMmaSyncIssueTurn rounds as many take away what was added. No sum is more than 64 * 64 / 8
 * * 32 = 2^14.
 */
constexpr float issue_expected_mma_sync(unsigned long long rounds, unsigned depth) {
  const unsigned long long place = rounds % (2 * kMmaSyncIssueTurn),
                           net = place <= kMmaSyncIssueTurn ? place : 2 * kMmaSyncIssueTurn - place;
  return static_cast<float>(net * 4 * kMmaSyncIssueInstructions * depth);
}
inline float issue_expected_mma_sync_fp16(unsigned long long rounds) { return issue_expected_mma_sync(rounds, 16); }
inline float issue_expected_mma_sync_bf16(unsigned long long rounds) { return issue_expected_mma_sync(rounds, 16); }
inline float issue_expected_mma_sync_tf32(unsigned long long rounds) { return issue_expected_mma_sync(rounds, 8); }
inline float issue_expected_mma_sync_fp8(unsigned long long rounds) { return issue_expected_mma_sync(rounds, 32); }
inline float issue_expected_mma_sync_fp64(unsigned long long rounds) { return issue_expected_mma_sync(rounds, 8); }

/**
 * AMD: independent results per wave, steps of a round on each of them, and rounds until the products change their sign.
 */
constexpr unsigned kAmdIssueSums = 8, kAmdIssueSteps = 4, kAmdIssueTurn = 1024;
/**
 * Every product is 2^-10, so that a round adds kAmdIssueSteps * depth * 2^-10 to each of a thread's kAmdIssueSums *
 * results sums; after kAmdIssueTurn rounds as many take it away again. At most 1024 * 4 * 64 * 2^-10 = 256 per sum: all
 * of it exact in fp32.
 */
constexpr float issue_expected_amd(unsigned long long rounds, unsigned depth, unsigned results) {
  const unsigned long long place = rounds % (2 * kAmdIssueTurn),
                           net = place <= kAmdIssueTurn ? place : 2 * kAmdIssueTurn - place;
  return static_cast<float>(net * kAmdIssueSteps * depth * kAmdIssueSums * results) / 1024.0f;
}
inline float issue_expected_mfma_fp16(unsigned long long rounds) { return issue_expected_amd(rounds, 16, 16); }
inline float issue_expected_mfma_bf16(unsigned long long rounds) { return issue_expected_amd(rounds, 16, 16); }
inline float issue_expected_mfma_fp8(unsigned long long rounds) { return issue_expected_amd(rounds, 64, 16); }
inline float issue_expected_mfma_tf32(unsigned long long rounds) { return issue_expected_amd(rounds, 8, 16); }
inline float issue_expected_mfma_fp64(unsigned long long rounds) { return issue_expected_amd(rounds, 8, 4); }
inline float issue_expected_wmma_fp16(unsigned long long rounds) { return issue_expected_amd(rounds, 16, 8); }
inline float issue_expected_wmma_bf16(unsigned long long rounds) { return issue_expected_amd(rounds, 16, 8); }
inline float issue_expected_wmma_fp8(unsigned long long rounds) { return issue_expected_amd(rounds, 32, 8); }

}  // namespace gpumark::device
