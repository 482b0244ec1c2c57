import { z } from 'zod';
import { figureUpTo, MOST_COPY_GBS, MOST_DEVICES, sampleCount } from './figure-limits.ts';
import { figureVerdict } from './figure-verdict.ts';
import { text } from './wire.ts';

/** Number of ordered pairs of different devices of a node. */
export const matrixCellsMax = MOST_DEVICES * (MOST_DEVICES - 1);

/** GB/s, 1 GB = 1e9 bytes; null if the pair was not measured. */
const speed = figureUpTo(MOST_COPY_GBS);

/** Copies from one GPU of a node to another. A pair from different makers has no cell. */
export const bandwidthCell = z.looseObject({
  source_gpu: text(120, 1).meta({ description: '`gpu_id` of the device read from' }),
  target_gpu: text(120, 1).meta({ description: '`gpu_id` of the device written to' }),
  simplex_gbs: speed.meta({ description: 'GB/s from source to target alone' }),
  simplex_samples: sampleCount.optional().meta({
    description: 'how many timed samples `simplex_gbs` is the median of; absent: not told',
  }),
  duplex_gbs: speed.meta({ description: 'GB/s with both directions at once: their sum' }),
  duplex_samples: sampleCount.optional().meta({ description: 'the same of `duplex_gbs`' }),
  connection_type: text(80, 1).meta({
    description: 'the path, e.g. "NVLink x18", "xGMI (2 hops)", "PCIe PIX", "host-staged (no peer access)", "unknown"',
  }),
  peer_access: z.boolean().nullable().optional().meta({ description: 'whether one device reads the other directly' }),
  verdict: figureVerdict.optional(),
  reason: text(400).nullable().optional().meta({ description: 'why a speed is null, or the rule behind the verdict' }),
});
export type BandwidthCell = z.infer<typeof bandwidthCell>;

/** Every pair once, no device with itself: of two contradicting cells nobody could say which one is right. */
export const bandwidthMatrix = z
  .array(bandwidthCell)
  .max(matrixCellsMax)
  .refine((cells) => cells.every((cell) => cell.source_gpu !== cell.target_gpu), 'a device has no cell with itself')
  .refine(
    (cells) => new Set(cells.map((cell) => JSON.stringify([cell.source_gpu, cell.target_gpu]))).size === cells.length,
    'must hold each pair of devices once',
  );
