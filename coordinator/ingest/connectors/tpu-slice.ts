/** TensorCores per chip for generations whose names count cores; 1 for those whose names count chips. */
const coresOfChip: Record<string, number> = { v2: 2, v3: 2, v4: 2, v5p: 2, v5litepod: 1, v5e: 1, v6e: 1 };

interface TpuSlice {
  label: string;
  /** NaN for a generation whose names we cannot read */
  chips: number;
}

/**
 * The chips of a TPU slice by its name: `tpu-v3-8` has 8 cores, so 4 chips, `v5litepod-8` has 8 chips. Price lists count
 * the slice as one accelerator; a chip of `v5p-12288` would then cost 6,144 times its price. Null if it is not a TPU slice.
 */
export function tpuSlice(name: string): TpuSlice | null {
  const [, version, size] = /^(?:tpu-?)?(v\d[a-z]*|\dx)-(\d+)$/.exec(name) ?? [];
  if (version === undefined) return null;
  const label = `TPU ${version === 'v5litepod' ? 'v5e' : version}`;
  return { label, chips: Number(size) / (coresOfChip[version] ?? NaN) };
}
