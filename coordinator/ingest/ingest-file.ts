import { createHash } from 'node:crypto';
import { loadReference } from '../market/ingestion/load-reference.ts';
import { findEarlierRun, type EarlierRun } from '../market/ingestion/find-earlier-run.ts';
import type { Observation } from '../market/ingestion/observation.ts';
import { storeRun, type StoredRun } from '../market/ingestion/store-run.ts';
import type { Context } from '../platform/context.ts';
import { FormatError, type Connector, type SourceFile } from './connector.ts';
import { observe } from './observe.ts';
import { Tally } from './tally.ts';

export type IngestReport =
  | { kind: 'stored'; tally: Tally; run: StoredRun }
  /** exactly this was read before, and what came of it still stands */
  | { kind: 'known'; earlier: EarlierRun };

interface Reading {
  connector: Connector;
  file: SourceFile;
  /** the file as it came: path or URL without what may be secret in it */
  origin: string;
  etag: string | null;
  /** also where exactly this was read before: labels may have got a meaning since */
  again: boolean;
}

/**
 * One file of one source into the market: all of it, or nothing where the file is not what it should be (`FormatError`).
 * Rows that give no observation are counted by reason, labels without a meaning are kept for the operator.
 */
export async function ingestFile(
  context: Context,
  { connector, file, origin, etag, again }: Reading,
): Promise<IngestReport> {
  const reference = await loadReference(context);
  const now = context.now();
  const tally = new Tally();
  const hash = createHash('sha256');
  const part = { source: connector.name, scope: file.scope };
  const known: { run?: EarlierRun } = {};
  async function* observations(): AsyncGenerator<Observation> {
    for await (const item of connector.read({ ...file, content: hashed(file.content, hash) })) {
      tally.rowsRead += 1;
      if ('refused' in item) {
        tally.refuse(item.refused, item.row, item.detail);
        continue;
      }
      const observed = observe(item.listing, reference, now);
      if (observed.kind === 'observation') yield observed.observation;
      else if (observed.kind === 'refused') tally.refuse(observed.refusal, item.row, observed.detail);
      else tally.leaveUnmatched(observed.of, observed.label, item.listing.observedAt.toISOString().slice(0, 10));
    }
    if (tally.rowsRead === 0) throw new FormatError(file, null, 'there is no row in it');
    if (again) return;
    const earlier = await findEarlierRun(context, { ...part, contentSha256: hash.copy().digest() });
    if (earlier === null) return;
    known.run = earlier;
    throw new SameContent();
  }
  try {
    const run = await storeRun(context, { ...part, origin }, observations(), () => ({
      contentSha256: hash.digest(),
      etag,
      rowsRead: tally.rowsRead,
      refused: tally.refusedCounts,
      unmatched: tally.unmatched,
    }));
    return { kind: 'stored', tally, run };
  } catch (error) {
    if (error instanceof SameContent && known.run) return { kind: 'known', earlier: known.run };
    throw error;
  }
}

/** Ends a transaction that would only write again what is there. */
class SameContent extends Error {}

async function* hashed(
  content: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
