import type { Queryable, Transaction } from '../db/client.ts';
import { maybeOne, one } from '../db/rows.ts';

/** Schedules the removal of a file; never brings it forward, since a process that writes the file again needs the time. */
export async function scheduleRemoval(sql: Queryable, key: string, dueAt: Date): Promise<void> {
  await sql`
    insert into artifact_removal as r (storage_key, due_at) values (${key}, ${dueAt})
    on conflict (storage_key) do update set due_at = greatest(r.due_at, excluded.due_at)`;
}

/** From the commit on, links to the artifacts of the job are invalid, and the sweep removes their files. */
export async function deleteArtifactsOf(sql: Queryable, { jobId, now }: { jobId: string; now: Date }): Promise<void> {
  await sql`
    with gone as (delete from artifact where job_id = ${jobId} returning storage_key)
    insert into artifact_removal (storage_key, due_at) select distinct storage_key, ${now}::timestamptz from gone
    on conflict (storage_key) do update set due_at = excluded.due_at, tries = 0`;
}

/** Whether the file is due for removal and no artifact refers to it. */
export async function isDue(sql: Queryable, { key, now }: { key: string; now: Date }): Promise<boolean> {
  const row = one(
    await sql<{ due: boolean }[]>`
    select exists (
      select from artifact_removal r where storage_key = ${key} and due_at <= ${now}
        and not exists (select from artifact where artifact.storage_key = r.storage_key)) as due`,
  );
  return row.due;
}

/** Locks some due files: a process that stores one of them now waits until it is removed, and then writes it. */
export async function lockDue(
  tx: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<{ storage_key: string; is_named: boolean }[]> {
  return tx<{ storage_key: string; is_named: boolean }[]>`
    select storage_key, exists (select from artifact where artifact.storage_key = r.storage_key) as is_named
    from artifact_removal r where due_at <= ${now}
    order by tries, due_at limit ${limit} for update skip locked`;
}

export async function forgetRemovals(tx: Transaction, keys: readonly string[]): Promise<void> {
  await tx`delete from artifact_removal where storage_key = any(${[...keys]})`;
}

/** Files that could not be removed come after the others next time. */
export async function countTries(tx: Transaction, keys: readonly string[]): Promise<void> {
  await tx`update artifact_removal set tries = least(tries + 1, 1000) where storage_key = any(${[...keys]})`;
}

interface NewArtifact {
  id: string;
  job_id: string;
  customer_id: string;
  /** the CHECK of the table artifact lists the same kinds */
  kind: 'job_report' | 'task_report' | 'raw_result';
  storage_key: string;
  file_name: string;
  content_type: string;
  sha256: string;
  size_bytes: number;
  created_at: Date;
}

/** Records a stored file as a job's, in the transaction that links to it and has locked the job. */
export async function insertArtifact(tx: Transaction, artifact: NewArtifact): Promise<void> {
  await tx`insert into artifact ${tx(artifact)}`;
}

export async function selectSecret(sql: Queryable): Promise<Buffer | null> {
  return maybeOne(await sql<{ secret: Buffer }[]>`select secret from artifact_secret`)?.secret ?? null;
}

/** If several processes insert a secret, the first one stays. */
export async function insertSecret(sql: Queryable, secret: Buffer, now: Date): Promise<void> {
  await sql`
    insert into artifact_secret (secret, created_at) values (${secret}, ${now}) on conflict (is_only) do nothing`;
}
