// One translation unit with the matrix kernels of an architecture; the simulated driver compiles all families.
#include "gemm-kernels.h"
