import { limiter } from '../../platform/limiter.ts';
import type { Visitor } from './visitor.ts';

/**
 * Hashing a password takes 50 ms of a core and one of node's four worker threads, which file access shares; more than two hashes
 * at a time would starve it. One of the two slots is for known visitors alone, so that a flood of strangers delays none of them
 * and takes no more than one core; within the slots, accounts and networks take turns.
 */
const known = limiter({ atOnce: 1, waiting: 256, waitingEach: 8 });
const strangers = limiter({ atOnce: 1, waiting: 64, waitingEach: 16 });

/** Waits for the visitor's turn. Throws `unavailable` if too many wait in its queue, or in all. */
export const queueHashing = <T>(
  { known: isKnown, line }: Pick<Visitor, 'known' | 'line'>,
  work: () => Promise<T>,
): Promise<T> => (isKnown ? known : strangers)(work, line);
