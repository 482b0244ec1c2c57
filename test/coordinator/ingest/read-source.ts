import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Connector, SourceFile } from '../../../coordinator/ingest/connector.ts';
import { dateInName } from '../../../coordinator/ingest/reading/file-names.ts';
import { refusals, type Listing, type ReadRow } from '../../../coordinator/ingest/listing.ts';
import { openSource } from '../../../coordinator/ingest/reading/open-source.ts';
import { unpack } from '../../../coordinator/ingest/reading/unpack.ts';

/** The day on which the tests play, where a file does not name one. */
export const today = new Date('2026-11-20T00:00:00Z');

interface Given {
  asOf?: Date;
  provider?: string | null;
}

export interface Reading {
  reads: ReadRow[];
  listings: Listing[];
  /** reason -> rows */
  refused: Record<string, number>;
  /** of the refused rows, as the operator reads them */
  lines: string[];
}

/** A text as a file, in pieces that part cells and characters. */
export function sourceOf(
  name: string,
  content: string | Uint8Array,
  { asOf = today, provider = null }: Given = {},
): SourceFile {
  const bytes = Buffer.from(content);
  return { name, content: pieces(bytes, 61), asOf, provider, scope: 'test' };
}

export async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function readAll(connector: Connector, file: SourceFile): Promise<Reading> {
  const reading: Reading = { reads: [], listings: [], refused: {}, lines: [] };
  for await (const read of connector.read(file)) {
    reading.reads.push(read);
    if ('listing' in read) reading.listings.push(read.listing);
    else {
      reading.refused[read.refused] = (reading.refused[read.refused] ?? 0) + 1;
      reading.lines.push(`${file.name}, row ${read.row}: ${refusals[read.refused]} (${read.detail})`);
    }
  }
  return reading;
}

/** A fixture of ours, under its own name. */
export const fixture = (name: string): string => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');

const folder = new URL('../../../../shared/data/', import.meta.url);
/** Publishers' files lie beside the checkout; a checkout alone does not have them. */
export const withoutShared = existsSync(folder)
  ? false
  : "the publishers' files (../shared/data) are not beside this checkout";
export const sharedPath = (path: string): string => fileURLToPath(new URL(path, folder));

/** A publisher's file the way the command reads it: opened, unpacked, dated by its name. */
export async function readShared(
  connector: Connector,
  path: string,
  { asOf, provider = null }: Given = {},
): Promise<Reading> {
  const name = sharedPath(path);
  const opened = await openSource(name);
  assert.ok(opened !== 'unchanged');
  for await (const part of unpack({ name, content: opened.content })) {
    return readAll(connector, { ...part, asOf: asOf ?? dateInName(name) ?? today, provider, scope: 'test' });
  }
  throw new Error(`${name} holds nothing`);
}

/** Rows of a CSV under its header by a reader of the tests' own: quoted cells, no line breaks in them. */
export function csvRows(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/);
  const names = cellsOf(head);
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, at) => [names[at] ?? '', cell])));
}

const cellsOf = (line: string): string[] =>
  [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  );

/** Adds one to a reason's count in an expectation. */
export function count(into: Record<string, number>, reason: string, by = 1): void {
  if (by > 0) into[reason] = (into[reason] ?? 0) + by;
}

export const near = (actual: number | undefined, expected: number): void => {
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) < 1e-9 * Math.max(1, Math.abs(expected)),
    `${actual} is not ${expected}`,
  );
};

/** The error of reading, whole, so that a test can look at its words. */
export async function failure(connector: Connector, file: SourceFile): Promise<string> {
  try {
    await readAll(connector, file);
  } catch (error) {
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'FormatError');
    return error.message;
  }
  return assert.fail('was read without an error');
}
