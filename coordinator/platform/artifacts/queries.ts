import type { Queryable } from '../db/client.ts';
import type { StoredArtifact } from './store.ts';

export interface NewArtifact extends StoredArtifact {
  id: string;
  customerId: string;
  /** the CHECK of artifact lists the same */
  kind: 'job_report' | 'task_report' | 'raw_result';
  fileName: string;
  contentType: string;
  now: Date;
}

export async function insertArtifact(sql: Queryable, artifact: NewArtifact): Promise<void> {
  await sql`
    insert into artifact (id, customer_id, kind, storage_key, file_name, content_type, sha256, size_bytes, created_at)
    values (${artifact.id}, ${artifact.customerId}, ${artifact.kind}, ${artifact.key}, ${artifact.fileName},
      ${artifact.contentType}, ${artifact.sha256}, ${artifact.sizeBytes}, ${artifact.now})`;
}
