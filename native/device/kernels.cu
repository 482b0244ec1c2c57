// One translation unit with every portable kernel: one image per architecture. clang compiles it as HIP with -x hip.
#include "stream.h"
#include "verify.h"
#include "march.h"
#include "cache.h"
#include "fma.h"
#include "simt-gemm.h"
#include "gemm-verify.h"
#include "control.h"
