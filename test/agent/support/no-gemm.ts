/** The facts beside a figure that is not a matrix product. */
export const noGemm = {
  engine: null,
  fraction_of_spec_peak: null,
  spec_peak_tflops: null,
  other_engine_tflops: null,
} as const;
