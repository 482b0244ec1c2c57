import { createHmac } from 'node:crypto';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { jobSigningKey } from './job-signing-key.ts';

export interface TaskSession {
  jobId: string;
  /** `token_kid` of the job's row: a rotation changes no secret that was handed out. */
  kid: string;
  taskId: string;
  epoch: number;
  sessionId: string;
}

/**
 * The secret of one session of one task: the same session gets the same again, another none that it could guess. Derived by
 * the key of the job's token; what is signed as a token begins with a letter's base64, never with these words.
 */
export async function deriveTaskSecret(context: Context, tx: Transaction, session: TaskSession): Promise<string> {
  const { key } = await jobSigningKey(context, session, tx);
  const { jobId, taskId, epoch, sessionId } = session;
  const words = ['gpumark task secret', jobId, taskId, String(epoch), sessionId.toLowerCase()];
  return `gmts_${createHmac('sha256', key).update(words.join('\n')).digest('base64url')}`;
}
