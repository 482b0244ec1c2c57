import { sizeCaps } from '../../contract/size-caps.ts';
import { registerArtifact } from '../../platform/artifacts/register-artifact.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { DomainError } from '../../platform/errors.ts';
import { sizesOf } from './queries/sizes.ts';
import { splitResult } from './split-result.ts';

/** A result that is ready to be stored: what answers show, and the file with the whole where that is too large for them. */
export interface KeptResult {
  inline: unknown;
  raw: { id: string; bytes: number } | null;
}

interface Result {
  jobId: string;
  customerId: string;
  taskId: string;
  benchmarkId: string;
  resultKey: string;
  results: unknown;
}

/**
 * Makes sure that the task and the job of a locked node have room for a result, and writes the whole of a large one to a
 * file. Nothing is written of a result that is stored already. Throws `too_large`; what is stored stays.
 */
export async function keepResult(context: Context, tx: Transaction, result: Result): Promise<KeptResult> {
  const sizes = await sizesOf(tx, result);
  const { inline, raw, bytes } = splitResult(result.results);
  if (sizes.known) return { inline, raw: null };
  demandRoom('task', sizes.task, bytes, sizeCaps.taskBytes);
  demandRoom('job', sizes.job, bytes, sizeCaps.jobBytes);
  if (raw === null) return { inline, raw };
  const id = context.newId();
  await registerArtifact(tx, {
    ...(await context.artifacts.put(raw, { contentType: 'application/json', extension: 'json' })),
    id,
    customerId: result.customerId,
    kind: 'raw_result',
    fileName: rawFileName(result),
    contentType: 'application/json',
    now: context.now(),
  });
  return { inline, raw: { id, bytes: raw.length } };
}

const rawFileName = ({ benchmarkId, taskId }: Result): string =>
  `gpumark-${benchmarkId.replaceAll(/[^\w-]/g, '_')}-${taskId}.json`;

function demandRoom(of: string, stored: number, more: number, most: number): void {
  if (stored + more <= most) return;
  throw new DomainError(
    'too_large',
    `payload.benchmark_results would make the results of the ${of} ${stored + more} bytes; at most ${most} are kept. ` +
      'What is stored stays; deliver less details, or create another job.',
  );
}
