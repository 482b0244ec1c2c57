import type { DeviceEvent } from '../../agent/kernels/runner-events.ts';

export type GemmType = 'bf16' | 'fp16' | 'mixed' | 'fp8' | 'tf32' | 'fp32' | 'fp64';

/** Least share of the vendor's library that our own kernels have to reach; what is not here is shown without a target. */
const targets: Record<string, Partial<Record<GemmType, number>>> = {
  sm_80: { bf16: 0.9, fp16: 0.9, mixed: 0.9, tf32: 0.85, fp32: 0.9 },
  sm_86: { bf16: 0.9, fp16: 0.9, mixed: 0.9, tf32: 0.85, fp32: 0.9 },
  sm_89: { bf16: 0.95, fp16: 0.95, mixed: 0.95, fp8: 0.88, tf32: 0.85, fp32: 0.9 },
  sm_90: { bf16: 0.95, fp16: 0.95, mixed: 0.95, fp8: 0.9, tf32: 0.85, fp32: 0.9 },
  sm_100: { bf16: 0.85, fp16: 0.85, mixed: 0.85, fp32: 0.9 },
  sm_120: { bf16: 0.95, fp16: 0.95, mixed: 0.95, fp8: 0.88, tf32: 0.85, fp32: 0.9 },
  gfx942: { bf16: 0.8, fp16: 0.8, mixed: 0.8, fp8: 0.75 },
};

/** Null if nothing is demanded of this device. */
export function ownTarget(type: GemmType, device: DeviceEvent): number | null {
  const { architecture } = device.attributes;
  return typeof architecture === 'string' ? (targets[architecture]?.[type] ?? null) : null;
}
