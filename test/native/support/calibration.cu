// Tiny kernels of which it is known what machine code has to be in them, for images-calibration.test.ts. Compiled with
// 24 registers.
struct Args {
  const void* in;
  void* out;
  unsigned count;
};

#define ACCESS(name, Type) \
  extern "C" __global__ void name(const Args a) { ((Type*)a.out)[threadIdx.x] = ((const Type*)a.in)[threadIdx.x]; }
ACCESS(access_8, unsigned char)
ACCESS(access_16, unsigned short)
ACCESS(access_32, unsigned)
ACCESS(access_64, uint2)
ACCESS(access_128, uint4)

#define LOAD(name, instruction)                                                                     \
  extern "C" __global__ void name(const Args a) {                                                   \
    unsigned word;                                                                                  \
    asm volatile(instruction " %0, [%1];" : "=r"(word) : "l"((const unsigned*)a.in + threadIdx.x)); \
    ((unsigned*)a.out)[threadIdx.x] = word;                                                         \
  }
LOAD(load_plain, "ld.global.u32")
LOAD(load_ca, "ld.global.ca.u32")
LOAD(load_nc, "ld.global.nc.u32")
LOAD(load_cg, "ld.global.cg.u32")
LOAD(load_gpu, "ld.relaxed.gpu.global.u32")
LOAD(load_sys, "ld.relaxed.sys.global.u32")

// A loop of 8 multiply-adds per turn.
#define MULTIPLY_ADDS(name, Type, constraint, instruction)                                                   \
  extern "C" __global__ void name(const Args a) {                                                            \
    Type x = ((const Type*)a.in)[threadIdx.x], y = ((const Type*)a.in)[1024], z = ((const Type*)a.in)[2048]; \
    _Pragma("unroll 1") for (unsigned i = 0; i < a.count; ++i) {                                             \
      _Pragma("unroll") for (int step = 0; step < 8; ++step) asm volatile(                                   \
          instruction " %0, %0, %1, %2;" : "+" constraint(x) : constraint(y), constraint(z));                \
    }                                                                                                        \
    ((Type*)a.out)[threadIdx.x] = x;                                                                         \
  }
MULTIPLY_ADDS(add_fp32, float, "f", "fma.rn.f32")
MULTIPLY_ADDS(add_fp64, double, "d", "fma.rn.f64")
MULTIPLY_ADDS(add_fp16, unsigned, "r", "fma.rn.f16x2")
#if __CUDA_ARCH__ >= 1000 && __CUDA_ARCH__ < 1200
MULTIPLY_ADDS(add_fp32_pair, unsigned long long, "l", "fma.rn.f32x2")
#endif

// 48 doubles held over a barrier do not fit into 24 registers.
extern "C" __global__ void spills(const Args a) {
  double x[48], sum = 0;
#pragma unroll
  for (int i = 0; i < 48; ++i) x[i] = ((const double*)a.in)[threadIdx.x + i * 256];
  __syncthreads();
#pragma unroll
  for (int i = 47; i >= 0; --i) sum = sum * 1.5 + x[i] * x[(i * 7) % 48];
  ((double*)a.out)[threadIdx.x] = sum;
}
