import { z } from 'zod';

/** What a peer reached, or why it did not. */
export const peerFigure = z.union([
  z.object({
    median: z.number().positive(),
    n: z.int().positive(),
    cv: z.number().nonnegative().nullable(),
    min: z.number().optional(),
    max: z.number().optional(),
    /** Work of all samples per second of all samples, for samples that follow each other without a gap. */
    rate: z.number().positive().optional(),
    size: z.int().optional(),
  }),
  z.object({ reason: z.string().min(1) }),
]);
export type PeerFigure = z.infer<typeof peerFigure>;

/** One run of one peer. `figures` is empty if `reason` says why there was none. */
export interface PeerRecord {
  peer: 'torch' | 'nvbandwidth';
  /** as far as it says one */
  version: string | null;
  command: string;
  started_at: string;
  wall_seconds: number;
  reason: string | null;
  figures: Record<string, PeerFigure>;
  /** what else it says of itself and of its device */
  details: Record<string, unknown>;
}
