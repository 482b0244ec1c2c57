import type { ArchiveFile } from '../../contract/market.ts';
import type { Queryable, Transaction } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';
import type { ArchivePart } from './archive-rows.ts';

export interface ArchiveFilter {
  tier: number;
  interval: string | null;
  type: string | null;
  /** a period's own name */
  period: string | null;
  /** days: files that lie within */
  from: string | null;
  to: string | null;
  newestFirst: boolean;
  limit: number;
  offset: number;
}

export async function selectArchives(
  sql: Queryable,
  { tier, interval, type, period, from, to, newestFirst, limit, offset }: ArchiveFilter,
): Promise<{ total: number; results: ArchiveFile[] }> {
  const where = sql`
    tier = ${tier} and (${interval}::text is null or interval = ${interval}) and (${type}::text is null or type = ${type})
      and (${period}::text is null or period = ${period})
      and (${from}::date is null or first_day >= ${from}) and (${to}::date is null or last_day <= ${to})`;
  const direction = newestFirst ? sql`desc` : sql`asc`;
  const [counted, results] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int4 as total from archive_file where ${where}`,
    sql<ArchiveFile[]>`
      select id, sequence_id::float8 as sequence_id, tier, interval, period, type,
        'gpu/tier' || tier || '/' || type || '/' || interval || '/' || period || '.csv.gz' as csv_s3_path
      from archive_file where ${where}
      order by first_day ${direction}, type, last_day ${direction} limit ${limit} offset ${offset}`,
  ]);
  return { total: one(counted).total, results };
}

export async function findArchive(
  sql: Queryable,
  id: string,
): Promise<{ artifact_key: string; tier: number; file_name: string } | null> {
  const row = maybeOne(
    await sql<{ artifact_key: string; tier: number; file_name: string }[]>`
    select artifact_key, tier, 'gpu-' || type || '-tier' || tier || '-' || interval || '-' || period || '.csv.gz' as file_name
    from archive_file where id = ${id}`,
  );
  return row ?? null;
}

/** What the file of this part was built from; null where there is none. */
export async function findFingerprint(sql: Queryable, { tier, type, period }: ArchivePart): Promise<Buffer | null> {
  const row = maybeOne(
    await sql<{ fingerprint: Buffer }[]>`
    select fingerprint from archive_file
    where tier = ${tier} and type = ${type} and interval = ${period.interval} and period = ${period.name}`,
  );
  return row?.fingerprint ?? null;
}

export interface NewArchive {
  id: string;
  artifactKey: string;
  rowCount: number;
  sizeBytes: number;
  builtAt: Date;
  fingerprint: Buffer;
}

/** A file in the place of the one of the same part, if there was one: that one's id opens nothing any more. */
export async function replaceArchive(
  tx: Transaction,
  { tier, type, period, version }: ArchivePart,
  file: NewArchive,
): Promise<void> {
  await tx`
    with old as (
      delete from archive_file
      where tier = ${tier} and type = ${type} and interval = ${period.interval} and period = ${period.name}
      returning artifact_key
    )
    insert into replaced_archive (artifact_key, replaced_at)
    select artifact_key, ${file.builtAt} from old where artifact_key <> ${file.artifactKey}
    on conflict (artifact_key) do update set replaced_at = excluded.replaced_at`;
  await tx`
    insert into archive_file (id, tier, interval, type, period, first_day, last_day, schema_version, artifact_key, row_count,
      size_bytes, built_at, fingerprint)
    values (${file.id}, ${tier}, ${period.interval}, ${type}, ${period.name}, ${period.firstDay}, ${period.lastDay},
      ${version}, ${file.artifactKey}, ${file.rowCount}, ${file.sizeBytes}, ${file.builtAt}, ${file.fingerprint})`;
}

/** Takes those that were replaced before this time off the list; the keys among them that no file has got again. */
export async function takeReplaced(tx: Transaction, before: Date): Promise<string[]> {
  const rows = await tx<{ artifact_key: string; is_used: boolean }[]>`
    delete from replaced_archive r where replaced_at < ${before}
    returning artifact_key, exists (select from archive_file f where f.artifact_key = r.artifact_key) as is_used`;
  return rows.filter(({ is_used }) => !is_used).map(({ artifact_key }) => artifact_key);
}
