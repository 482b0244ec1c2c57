import type { Transaction } from '../platform/db/client.ts';
import { bumpVersion } from './queries/votes.ts';

/** Whatever readers hold of the market is read again once this transaction is through. */
export const bumpMarket = (tx: Transaction): Promise<void> => bumpVersion(tx);
