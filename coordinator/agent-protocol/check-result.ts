import type { ReceivedResults } from '../contract/agent-protocol.ts';
import { resultKeyOf } from '../contract/result-key.ts';
import { sizeCaps } from '../contract/size-caps.ts';
import { invalidField } from '../platform/errors.ts';

/** What a result must satisfy before anything is read of the database. Throws a validation error naming the field. */
export function checkResult(jobId: string, input: ReceivedResults): void {
  if (input.result_key !== resultKeyOf(jobId, input, input.content_hash)) {
    throw invalidField(
      'result_key',
      'is not the key of this content: the body was altered on the way or belongs to another job',
    );
  }
  if (input.payload === null) {
    if (input.state === 'completed') throw invalidField('payload', 'must not be null where state is completed');
  } else if (input.payload.machine_uuid !== input.machine_uuid) {
    throw invalidField('payload.machine_uuid', 'differs from machine_uuid');
  }
  const bytes = input.results_bytes;
  if (bytes > sizeCaps.resultBytes) {
    throw invalidField(
      'payload.benchmark_results',
      `is ${bytes} bytes; at most ${sizeCaps.resultBytes} are kept: leave samples out of its details`,
    );
  }
  if (Date.parse(input.ended_at) < Date.parse(input.started_at)) throw invalidField('ended_at', 'is before started_at');
}
