/** What healthy cards of one model reached, TFLOP/s and GB/s. */
interface MeasuredCards {
  /** the name in `gpu-peaks*.ts` */
  model: string;
  /** cards behind the figures */
  cards: number;
  source: string;
  /** products by the vendor's library under sustained load: operations per second of wall */
  library: Readonly<Record<string, number>>;
  /** figures that depend on no engine and no load */
  steady: Readonly<Record<string, number>>;
}

/**
 * Medians of three rounds each. Products are counted without the idle time between the samples of these files, which their own
 * medians leave out: samples x products per sample x 2 x 8192^3 over the seconds of the power record, as the runner counts today;
 * test/coordinator/figures/measured-cards.test.ts does it. Not here: our kernels and the multiply-adds, which ran too briefly for a
 * load class, and fp32 on the lanes, with 0.4 s of load before it.
 */
export const measuredCards: readonly MeasuredCards[] = [
  {
    model: 'H100 SXM',
    cards: 1,
    source: 'native/results, one card, driver 580.159.04, 2026-11-27',
    library: {
      bf16_tflops: 677,
      fp16_tflops: 649,
      mixed_precision_tflops: 641,
      fp8_tflops: 1280,
      tf32_tflops: 345,
      fp64_tflops: 51.5,
    },
    steady: { memory_bandwidth_gbs: 3017, memory_copy_gbs: 3025, l2_bandwidth_gbs: 7977 },
  },
  {
    model: 'H200',
    cards: 1,
    source: 'native/results, one card, driver 580.159.04, 2026-11-27',
    library: {
      bf16_tflops: 673,
      fp16_tflops: 643,
      mixed_precision_tflops: 638,
      fp8_tflops: 1267,
      tf32_tflops: 339,
      fp64_tflops: 52.1,
    },
    steady: { memory_bandwidth_gbs: 4313, memory_copy_gbs: 4287, l2_bandwidth_gbs: 9217 },
  },
];

/** What others published of products by the vendor's library. */
interface PublishedRun {
  models: readonly string[];
  metric: string;
  tflops: number;
}

/**
 * The best of many shapes, in bf16 and fp8: more than the one shape of this program reaches (677 of 794.5 on an H100), so these
 * show what a model is capable of, and nothing is held to them.
 */
export const publishedRuns: readonly PublishedRun[] = [
  { models: ['A100 40GB SXM', 'A100 80GB SXM'], metric: 'bf16_tflops', tflops: 271.2 },
  { models: ['A100 40GB PCIe', 'A100 80GB PCIe'], metric: 'bf16_tflops', tflops: 252.9 },
  { models: ['H100 SXM', 'H200'], metric: 'bf16_tflops', tflops: 794.5 },
  { models: ['GH200 96GB', 'GH200 144GB'], metric: 'bf16_tflops', tflops: 828.6 },
  { models: ['B200'], metric: 'bf16_tflops', tflops: 1745 },
  { models: ['B300'], metric: 'bf16_tflops', tflops: 1769 },
  { models: ['GB200'], metric: 'bf16_tflops', tflops: 1822 },
  { models: ['MI300X'], metric: 'bf16_tflops', tflops: 668.4 },
  { models: ['MI325X'], metric: 'bf16_tflops', tflops: 784.9 },
  { models: ['MI355X'], metric: 'bf16_tflops', tflops: 1565 },
  { models: ['H100 SXM'], metric: 'fp8_tflops', tflops: 1402.6 },
  { models: ['H200'], metric: 'fp8_tflops', tflops: 1453 },
  { models: ['GH200 96GB', 'GH200 144GB'], metric: 'fp8_tflops', tflops: 1535 },
  { models: ['B200'], metric: 'fp8_tflops', tflops: 3432 },
  { models: ['B300'], metric: 'fp8_tflops', tflops: 3353 },
  { models: ['GB200'], metric: 'fp8_tflops', tflops: 3616 },
];
export const PUBLISHED_SOURCE = 'stas00/ml-engineering, mamf-finder v2: the best of many shapes';
