import type { BandwidthCell } from '../../../../coordinator/contract/bandwidth-matrix.ts';
import { fixedChance } from './simulated-gpus.ts';

/** Every ordered pair of these devices over NVLink, made up; the same ids give the same figures. */
export function fullMatrix(ids: string[]): BandwidthCell[] {
  const chance = fixedChance(ids.length);
  return ids.flatMap((source_gpu) =>
    ids
      .filter((target_gpu) => target_gpu !== source_gpu)
      .map((target_gpu) => ({
        source_gpu,
        target_gpu,
        simplex_gbs: 393 * (1 + chance() * 0.01),
        duplex_gbs: 771 * (1 + chance() * 0.01),
        connection_type: 'NVLink x18',
        peer_access: true,
        verdict: 'ok' as const,
        reason: null,
      })),
  );
}
