// Tiny kernels of which it is known what machine code has to be in them, for images-matrix-nvidia.test.ts: three of
// each instruction.
struct Args {
  float* out;
  const void* in;
  unsigned a, b, shared;
  double x, y;
};

#define MULTIPLY(name, types, registers_of_a, registers_of_b)                                                          \
  extern "C" __global__ void name(const Args a) {                                                                      \
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;                                                                              \
    _Pragma("unroll") for (int i = 0; i < 3; ++i) asm volatile(                                                        \
        "mma.sync.aligned." types " {%0, %1, %2, %3}, {" registers_of_a "}, {" registers_of_b "}, {%0, %1, %2, %3};" : \
        "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3) : "r"(a.a), "r"(a.b));                                                  \
    a.out[threadIdx.x] = s0 + s1 + s2 + s3;                                                                            \
  }
MULTIPLY(multiply_fp16_8, "m16n8k8.row.col.f32.f16.f16.f32", "%4, %5", "%4")

extern "C" __global__ void load_matrices(const Args a) {
  unsigned r0, r1, r2, r3, sum = 0;
#pragma unroll
  for (unsigned i = 0; i < 3; ++i) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                 : "r"(a.shared + 512 * i)
                 : "memory");
    sum += r0 ^ r1 ^ r2 ^ r3;
  }
  a.out[threadIdx.x] = static_cast<float>(sum);
}
extern "C" __global__ void wait_for_all(const Args a) {
#pragma unroll
  for (unsigned i = 0; i < 3; ++i) {
    __syncthreads();
    a.out[threadIdx.x + i] = 0;
  }
}

#if __CUDA_ARCH__ >= 800
MULTIPLY(multiply_fp16, "m16n8k16.row.col.f32.f16.f16.f32", "%4, %5, %4, %5", "%4, %5")
MULTIPLY(multiply_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32", "%4, %5, %4, %5", "%4, %5")
MULTIPLY(multiply_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", "%4, %5, %4, %5", "%4, %5")
extern "C" __global__ void multiply_fp64(const Args a) {
  double s0 = 0, s1 = 0;
#pragma unroll
  for (int i = 0; i < 3; ++i)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(s0), "+d"(s1)
                 : "d"(a.x), "d"(a.y));
  a.out[threadIdx.x] = static_cast<float>(s0 + s1);
}
extern "C" __global__ void copy_past_registers(const Args a) {
#pragma unroll
  for (unsigned i = 0; i < 3; ++i) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(a.shared + 16 * i),
                 "l"(static_cast<const char*>(a.in) + 16 * i)
                 : "memory");
  }
}
#endif
#if __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200
MULTIPLY(multiply_e4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32", "%4, %5, %4, %5", "%4, %5")
#endif
#if __CUDA_ARCH__ >= 1200
MULTIPLY(multiply_e4m3_of_kind, "kind::f8f6f4.m16n8k32.row.col.f32.e4m3.e4m3.f32", "%4, %5, %4, %5", "%4, %5")
#endif
#if defined(__CUDA_ARCH_FEAT_SM120_ALL)
#define MULTIPLY_SCALED(name, shape_and_types)                                                                    \
  extern "C" __global__ void name(const Args a) {                                                                 \
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;                                                                         \
    const unsigned u = a.shared, v = a.shared + 1;                                                                \
    _Pragma("unroll") for (int i = 0; i < 3; ++i) {                                                               \
      asm volatile("mma.sync.aligned." shape_and_types                                                            \
                   " {%0, %1, %2, %3}, {%4, %5, %4, %5}, {%4, %5}, {%0, %1, %2, %3}, {%4}, {0, 0}, {%5}, {0, 0};" \
                   : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)                                                       \
                   : "r"(u), "r"(v));                                                                             \
    }                                                                                                             \
    a.out[threadIdx.x] = s0 + s1 + s2 + s3;                                                                       \
  }
MULTIPLY_SCALED(multiply_nvfp4, "m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3")
MULTIPLY_SCALED(multiply_mxfp4, "m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0")
MULTIPLY_SCALED(multiply_mxfp8, "m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0")
#endif
