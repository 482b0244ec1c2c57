import { z } from 'zod';

export const BACKUP_SCHEMA = 'gpumark.backup/1';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

/** Content of a backup, with the hash of each file in it; written last, so that a folder with a manifest is complete. */
export const manifest = z.object({
  schema: z.literal(BACKUP_SCHEMA),
  made_at: z.iso.datetime(),
  /** number of the last migration of the database */
  schema_version: z.int().positive(),
  tables: z.array(z.object({ name, columns: z.array(name).min(1), rows: z.int(), sha256 })),
  /** of partitioned tables; bounds as Postgres writes them */
  partitions: z.array(z.object({ name, parent: name, bound: z.string().max(500) })),
  sequences: z.array(z.object({ name, value: z.string().regex(/^\d+$/) })),
  artifacts: z.array(z.object({ key: z.string(), size_bytes: z.int() })),
  /** files that a row refers to, gone before they were copied: their job was deleted or they were replaced meanwhile */
  vanished: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifest>;
