import { z } from 'zod';
import { readFileSync } from 'node:fs';
import { resultEvent } from '../../../agent/kernels/runner-events.ts';

const row = z.object({
  id: z.string(),
  median: z.number().nullable(),
  rounds: z.array(z.number().nullable()),
  peer: z.object({ name: z.string(), rounds: z.array(z.number().nullable()) }).nullable(),
  ratio: z.number().nullable(),
  checks: z.array(
    z.object({ rule: z.string(), value: z.number().nullable(), verdict: z.string(), reason: z.string().nullable() }),
  ),
});
export type WrittenRow = z.infer<typeof row>;

const peer = z.object({ peer: z.string(), started_at: z.string(), command: z.string(), reason: z.string().nullable() });

/** What a test reads of the file that the check writes. */
const written = z.object({
  schema: z.literal('gpumark.device-check/1'),
  simulated: z.boolean(),
  date: z.iso.datetime(),
  exit_code: z.int(),
  wrong: z.array(z.string()),
  cards: z.array(z.object({ card: z.string(), device_id: z.string(), driver: z.string(), image: z.string() })),
  runner: z.object({ sha256: z.string().length(64), revision: z.string() }),
  host: z.object({ processor: z.string() }),
  devices: z.array(z.object({ device_id: z.string(), rows: z.array(row) })),
  node: z.array(row),
  rounds: z.array(
    z.object({
      turns: z.array(
        z.object({
          first: z.enum(['runner', 'peers']),
          run: z.object({ started_at: z.string(), results: z.array(resultEvent) }),
          peers: z.array(peer),
        }),
      ),
    }),
  ),
});

export const readDocument = (path: string): z.infer<typeof written> =>
  written.parse(JSON.parse(readFileSync(path, 'utf8')));

export function rowOf(rows: readonly WrittenRow[] | undefined, id: string): WrittenRow {
  const found = rows?.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no row ${id}`);
  return found;
}
