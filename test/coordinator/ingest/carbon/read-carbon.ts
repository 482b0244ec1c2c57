import assert from 'node:assert/strict';
import type { CarbonConnector, CarbonReading } from '../../../../coordinator/ingest/carbon/carbon-connector.ts';
import type { Factor } from '../../../../coordinator/carbon/factors/factor.ts';
import { openSource } from '../../../../coordinator/ingest/reading/open-source.ts';
import { unpack } from '../../../../coordinator/ingest/reading/unpack.ts';
import { pieces, sharedPath } from '../read-source.ts';

export interface Carbon extends Pick<CarbonReading, 'rowsRead' | 'rowsKept' | 'editions'> {
  /** reason -> rows */
  refused: Record<string, number>;
  /** of all editions, by zone; the last of a zone */
  factors: ReadonlyMap<string, Factor>;
}

/** A text as a file through a connector, in pieces that part cells and characters. */
export async function readCarbon(
  connector: CarbonConnector,
  name: string,
  content: string | Uint8Array,
): Promise<Carbon> {
  return summed(await connector.read({ name, content: pieces(Buffer.from(content), 61) }));
}

/** A publisher's file, opened and unpacked. */
export async function readSharedCarbon(connector: CarbonConnector, path: string): Promise<Carbon> {
  const name = sharedPath(path);
  const opened = await openSource(name);
  assert.ok(opened !== 'unchanged');
  for await (const part of unpack({ name, content: opened.content })) return summed(await connector.read(part));
  throw new Error(`${name} holds nothing`);
}

function summed({ rowsRead, rowsKept, editions, refused }: CarbonReading): Carbon {
  const counts = Object.fromEntries([...refused].map(([refusal, { rows }]) => [refusal, rows]));
  const all = editions.flatMap(({ factors = [] }) => factors);
  return {
    rowsRead,
    rowsKept,
    editions,
    refused: counts,
    factors: new Map(all.map((factor) => [factor.zone, factor])),
  };
}

/** The words of the error that a file as a whole is refused with. */
export async function carbonFailure(
  connector: CarbonConnector,
  name: string,
  content: string | Uint8Array,
): Promise<string> {
  try {
    await readCarbon(connector, name, content);
  } catch (error) {
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'FormatError', String(error.stack));
    return error.message;
  }
  return assert.fail('was read without an error');
}
