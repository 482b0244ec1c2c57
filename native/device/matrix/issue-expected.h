// What every thread of an issue probe writes after `rounds` rounds: all inputs are alike and chosen so that the sums are exact in fp32 and
// known beforehand. A host that reads anything else has not measured what it thinks. One function for each row of the lists
// GPUMARK_..._ISSUE, named issue_expected_<family>_<type>.
#pragma once

namespace gpumark::device {}
