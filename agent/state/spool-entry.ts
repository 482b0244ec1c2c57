import { createHash } from 'node:crypto';
import { z } from 'zod';
import { resultsRequest } from '../../coordinator/contract/agent-protocol.ts';
import { canonicalJson } from '../../coordinator/contract/result-key.ts';
import { digitsId, instant } from '../../coordinator/contract/wire.ts';

/** How the run ends once its result has arrived. Kept with the result, so that `upload` can report it too. */
const runEnding = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('complete'), warnings: z.array(z.string()) }),
  z.object({ kind: z.literal('fail'), state: z.enum(['failed', 'aborted']), message: z.string().min(1) }),
]);

/**
 * One benchmark result and everything needed to deliver it later from another process: the address, the job token and
 * the task's secret (hence mode 0600), and either its task or, for a run without a coordinator, the data to register
 * it.
 */
const spoolEntry = z.object({
  saved_at: instant,
  coordinator: z.string(),
  token: z.string(),
  task: z
    .object({ job_id: z.string(), task_id: digitsId, epoch: z.int().positive(), task_secret: z.string().min(1) })
    .nullable(),
  registrant: z.object({
    machine_uuid: z.string(),
    session_id: z.string(),
    agent_version: z.string(),
    hostname: z.string().nullable(),
    launcher: z.record(z.string(), z.string()),
  }),
  result: resultsRequest.omit({ task_id: true, epoch: true, result_key: true }),
  ending: runEnding.nullable().meta({ description: 'null if another result of the run follows' }),
});
export type SpoolEntry = z.infer<typeof spoolEntry>;

const envelope = z.object({ schema: z.literal('gpumark.spool/1'), sha256: z.string(), entry: z.unknown() });

export function sealEntry(entry: SpoolEntry): string {
  return `${JSON.stringify({ schema: 'gpumark.spool/1', sha256: checksum(entry), entry })}\n`;
}

/** @returns null if the file is truncated, altered or has another schema */
export function openEntry(content: string): SpoolEntry | null {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    return null;
  }
  const outer = envelope.safeParse(json);
  if (!outer.success || checksum(outer.data.entry) !== outer.data.sha256) return null;
  const inner = spoolEntry.safeParse(outer.data.entry);
  return inner.success ? inner.data : null;
}

const checksum = (entry: unknown): string => createHash('sha256').update(canonicalJson(entry)).digest('hex');
