/**
 * GB of one accelerator out of SkyPilot's GpuInfo, which is Python's writing of a dict or JSON. `SizeInMiB` is in GB in some
 * clouds; no accelerator has below 1,024 MiB or above 1,024 GB, so the size tells. `of` is the count where the cloud writes
 * the total of the machine, else 1. Null: not said.
 */
export function memoryInGpuInfo(text: string, of: number): number | null {
  const size = Number(/['"]SizeInMiB['"]:\s*([\d.]+)/.exec(text)?.[1] ?? NaN) / of;
  if (!(size > 0)) return null;
  return size > 1024 ? Math.round((size / 1024) * 10) / 10 : size;
}

/** The cloud's own name of it there; it may say more than AcceleratorName: `A100 PCIe` beside `A100-80GB`. */
export const nameInGpuInfo = (text: string): string | null =>
  /['"]Name['"]:\s*['"]([^'"]+)['"]/.exec(text)?.[1] ?? null;
