// Tiny kernels for sm_100a of which it is known what machine code has to be in them, for
// images-matrix-blackwell.test.ts.
struct Args {
  unsigned* out;
  unsigned long long a, b;
  unsigned sums, types;
};

#define MULTIPLY(name, kind)                                                                            \
  extern "C" __global__ void name(const Args a) {                                                       \
    _Pragma("unroll") for (int i = 0; i < 3; ++i) asm volatile(                                         \
        "tcgen05.mma.cta_group::1.kind::" kind " [%0], %1, %2, %3, 1;" ::"r"(a.sums), "l"(a.a + 2 * i), \
        "l"(a.b + 2 * i), "r"(a.types) : "memory");                                                     \
  }
MULTIPLY(multiply_f16, "f16")
MULTIPLY(multiply_tf32, "tf32")
MULTIPLY(multiply_f8, "f8f6f4")

extern "C" __global__ void load_sums(const Args a) {
  unsigned word;
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];\n\ttcgen05.wait::ld.sync.aligned;"
               : "=r"(word)
               : "r"(a.sums)
               : "memory");
  a.out[threadIdx.x] = word;
}

struct ScaledArgs {
  Args plain;
  unsigned scales_a, scales_b, to, bytes, barrier;
  const void* from;
};
#define MULTIPLY_SCALED(name, kind)                                                                                 \
  extern "C" __global__ void name(const ScaledArgs s) {                                                             \
    const Args& a = s.plain;                                                                                        \
    _Pragma("unroll") for (int i = 0; i < 3; ++i) asm volatile(                                                     \
        "tcgen05.mma.cta_group::1.kind::" kind " [%0], %1, %2, %3, [%4], [%5], 1;" ::"r"(a.sums), "l"(a.a + 2 * i), \
        "l"(a.b + 2 * i), "r"(a.types), "r"(s.scales_a), "r"(s.scales_b) : "memory");                               \
  }
MULTIPLY_SCALED(multiply_nvfp4, "mxf4nvf4.block_scale.scale_vec::4X")
MULTIPLY_SCALED(multiply_mxfp4, "mxf4.block_scale.scale_vec::2X")
MULTIPLY_SCALED(multiply_mxfp8, "mxf8f6f4.block_scale.scale_vec::1X")

extern "C" __global__ void copy_scales(const ScaledArgs s) {
  asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(s.scales_a), "l"(s.plain.a) : "memory");
}
extern "C" __global__ void copy_bytes(const ScaledArgs s) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(s.to),
               "l"(s.from), "r"(s.bytes), "r"(s.barrier)
               : "memory");
}
