import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { openSource } from '../../../../coordinator/ingest/reading/open-source.ts';
import { unpack } from '../../../../coordinator/ingest/reading/unpack.ts';
import { observeTokens, type Observed } from '../../../../coordinator/ingest/tokens/observe-tokens.ts';
import type { TokenConnector, TokenReading } from '../../../../coordinator/ingest/tokens/token-connector.ts';
import { pieces, sharedPath } from '../read-source.ts';

export interface ReadTokens extends Observed {
  reading: TokenReading;
  /** reason -> rows */
  refused: Record<string, number>;
  /** labels without a model */
  unmatched: string[];
}

/** A text as a file through a connector, in pieces that part cells and characters. */
export async function readTokens(
  connector: TokenConnector,
  content: string | object,
  { name = 'file', day = '2026-11-20' } = {},
): Promise<ReadTokens> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return observed(connector, await connector.read({ name, content: pieces(Buffer.from(text), 61), day }), day);
}

/** A publisher's file, opened and unpacked. */
export async function readSharedTokens(connector: TokenConnector, path: string, day: string): Promise<ReadTokens> {
  const name = sharedPath(path);
  const opened = await openSource(name);
  assert.ok(opened !== 'unchanged');
  for await (const part of unpack({ name, content: opened.content }))
    return observed(connector, await connector.read({ ...part, day }), day);
  throw new Error(`${name} holds nothing`);
}

function observed(connector: TokenConnector, reading: TokenReading, day: string): ReadTokens {
  const all = observeTokens(connector, reading, day);
  return {
    ...all,
    reading,
    refused: all.tally.refusedCounts,
    unmatched: all.tally.unmatched.map(({ label }) => label),
  };
}

/** The same file as plain JSON, for what a test computes by itself. */
export function rawJson(path: string): unknown {
  const bytes = readFileSync(sharedPath(path));
  return JSON.parse((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
}
