import { hash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../platform/errors.ts';

/** What a call of a task carries in addition to its body. */
export interface Secret {
  task_secret: string;
}

/** The body with the secret from the header. */
export const withSecret = <Body extends object>({
  body,
  headers,
}: {
  body: Body;
  headers: { 'x-task-secret': string };
}): Body & Secret => ({ ...body, task_secret: headers['x-task-secret'] });

/** What is stored and compared: a secret has 256 bits itself, so its hash needs neither salt nor work factor. */
export const hashOfSecret = (secret: string): string => hash('sha256', secret);

/** Throws 403 unless the caller is the session that holds the task. A task without a stored hash accepts no secret. */
function demandSecret({ secret_hash }: { secret_hash: string | null }, { task_secret }: Secret): void {
  if (!isHash(secret_hash, hashOfSecret(task_secret))) throw wrongSecret();
}

export const isHash = (stored: string | null, given: string): boolean =>
  stored !== null && stored.length === given.length && timingSafeEqual(Buffer.from(stored), Buffer.from(given));

export const wrongSecret = (): DomainError =>
  new DomainError(
    'forbidden',
    'X-Task-Secret is not the secret of this task. Send the task_secret that register returned to this session; registering again with the same session_id returns it again.',
    { code: 'TASK_SECRET_INVALID' },
  );

/** Throws 409 STALE_EPOCH or 403 TASK_SECRET_INVALID unless the caller is the session that holds the task. */
export function demandSession(
  task: { epoch: number; secret_hash: string | null },
  caller: Secret & { epoch: number },
): void {
  if (caller.epoch !== task.epoch) throw staleEpoch(task.epoch);
  demandSecret(task, caller);
}

export const staleEpoch = (current: number): DomainError =>
  new DomainError('conflict', `Another session has taken this task over (epoch ${current}); stop this one.`, {
    code: 'STALE_EPOCH',
  });

export const jobNotActive = (message: string): DomainError =>
  new DomainError('conflict', message, { code: 'JOB_NOT_ACTIVE' });
