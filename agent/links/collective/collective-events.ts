import { z } from 'zod';
import { malformedLine } from '../../kernels/parse-line.ts';
import { runnerSchema } from '../../kernels/runner-events.ts';

/** Events of `gpumark-runner collective`. Seconds are per operation on the slowest rank; GB/s of 1e9 bytes. */
const library = z.enum(['nccl', 'rccl']);

const collectiveLibrary = z.object({
  event: z.literal('collective_library'),
  backend: z.enum(['cuda', 'rocm']),
  library,
  status: z.enum(['ok', 'absent', 'no-device']),
  detail: z.string(),
  version: z.string().max(60).nullable(),
  path: z.string().nullable(),
  devices: z.int().nonnegative(),
  simulated: z.boolean(),
});

const collectiveId = z.object({
  event: z.literal('collective_id'),
  library,
  unique_id: z.string().regex(/^[0-9a-f]{256}$/),
});

const bySize = z.object({
  bytes: z.number().positive(),
  seconds: z.number().positive(),
  algorithm_gbs: z.number().nonnegative(),
  bus_gbs: z.number().nonnegative(),
  /**
   * false: the library waits for the device inside its calls, so the host's speed affects the figure; absent from older
   * runners
   */
  held_until_enqueued: z.boolean().optional(),
});

const collectiveMeasured = z.object({
  event: z.literal('collective'),
  library,
  version: z.string(),
  nodes: z.int().positive(),
  ranks: z.int().positive(),
  all_reduce: z.array(bySize),
  broadcast: z.array(bySize),
  limited_by: z.enum(['size', 'memory', 'time']),
  verified: z.boolean(),
  simulated: z.boolean(),
});

const failed = z.object({ event: z.literal('error'), code: z.string(), message: z.string() });
const summary = z.object({ event: z.literal('summary'), exit_code: z.int() });

const collectiveEvent = z.discriminatedUnion('event', [
  collectiveLibrary,
  collectiveId,
  collectiveMeasured,
  failed,
  summary,
]);
export type CollectiveEvent = z.infer<typeof collectiveEvent>;
export type CollectiveLibrary = z.infer<typeof collectiveLibrary>;
export type CollectiveMeasured = z.infer<typeof collectiveMeasured>;

const header = z.looseObject({ schema: z.literal(runnerSchema), event: z.string() });
const known: ReadonlySet<string> = new Set(collectiveEvent.options.map((option) => option.shape.event.value));

/**
 * Null for an unknown kind of event.
 * @throws RunnerError malformed-line
 */
export function parseCollectiveLine(line: string): CollectiveEvent | null {
  const head = header.safeParse(parseJson(line));
  if (!head.success) throw malformedLine(line, head.error);
  if (!known.has(head.data.event)) return null;
  const event = collectiveEvent.safeParse(head.data);
  // A line that contains the id must not be quoted.
  if (!event.success) throw malformedLine(head.data.event === 'collective_id' ? 'collective_id' : line, event.error);
  return event.data;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw malformedLine(line.includes('collective_id') ? 'collective_id' : line, cause);
  }
}
