import type { StoredArtifact } from '../platform/artifacts/store.ts';
import type { Queryable } from '../platform/db/client.ts';
import type { WorkKind } from '../platform/work-queue/work-item.ts';

interface NewArtifact extends StoredArtifact {
  id: string;
  customerId: string;
  kind: WorkKind;
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
