import { createBeatBatch } from '../../../coordinator/lifecycle/beat-batch.ts';
import type { BeatRow } from '../../../coordinator/lifecycle/queries/leases.ts';
import { serveBoth } from './server-process.ts';

/** The floor: a bare node:http handler that parses the JSON and shares the same UPDATE, without checking tokens. */
await serveBoth((platform) => {
  const renewLease = createBeatBatch(platform);
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { task_id, job_id, secret_hash, epoch, phase } = JSON.parse(Buffer.concat(chunks).toString()) as Record<
        string,
        string
      >;
      const beat = {
        taskId: task_id,
        jobId: job_id,
        epoch: Number(epoch),
        secretHash: secret_hash,
        phase,
        progress: null,
      } as BeatRow;
      void renewLease(beat)?.then((row) => {
        const content = JSON.stringify(row ?? null);
        response.writeHead(row ? 200 : 404, { 'content-type': 'application/json', 'content-length': content.length });
        response.end(content);
      });
    });
  };
});
