import type { StoredArtifact } from '../platform/artifacts/store.ts';
import type { Transaction } from '../platform/db/client.ts';
import type { WorkKind } from '../platform/work-queue/work-item.ts';

interface NewArtifact extends StoredArtifact {
  id: string;
  jobId: string;
  customerId: string;
  kind: WorkKind;
  fileName: string;
  contentType: string;
  now: Date;
}

/** False if the job has been deleted; else it cannot be before the transaction ends. */
export async function insertArtifact(tx: Transaction, artifact: NewArtifact): Promise<boolean> {
  const inserted = await tx`
    insert into artifact (id, job_id, customer_id, kind, storage_key, file_name, content_type, sha256, size_bytes, created_at)
    select ${artifact.id}::int8, job.id, ${artifact.customerId}::int8, ${artifact.kind}, ${artifact.key}, ${artifact.fileName},
      ${artifact.contentType}, ${artifact.sha256}, ${artifact.sizeBytes}::int8, ${artifact.now}::timestamptz
    from job where job.id = ${artifact.jobId} and job.deleted_at is null
    for no key update of job`;
  return inserted.count === 1;
}
