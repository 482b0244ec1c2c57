import { z } from 'zod';
import { linkStatus } from '../../coordinator/contract/cluster-network.ts';
import { malformedLine } from '../kernels/parse-line.ts';
import { RunnerError } from '../kernels/runner-error.ts';
import { runnerSchema } from '../kernels/runner-events.ts';

/**
 * Events of `gpumark-runner link`. Times are CLOCK_MONOTONIC milliseconds; the limits are those of the network
 * contract.
 */
const id = z.string().min(1).max(32);
const monotonicMs = z.number().nonnegative();
const code = z.string().max(60).nullable();
const failure = { status: linkStatus, stage: z.string().max(20).nullable(), code };

const linkReady = z.object({
  event: z.literal('link_ready'),
  monotonic_ms: monotonicMs,
  congestion_control: z.string().max(60).nullable(),
});
export type LinkReady = z.infer<typeof linkReady>;

const dialled = z.object({
  event: z.literal('dialled'),
  id,
  status: linkStatus,
  address: z.string().max(60).nullable(),
  connect_us: z.number().nullable(),
  code,
});
export type Dialled = z.infer<typeof dialled>;

const slotEnded = z.object({
  event: z.literal('slot'),
  id,
  ...failure,
  started: monotonicMs.nullable(),
  skew: z.number().nullable(),
  received: z.object({ gbps: z.number().nonnegative(), bytes: z.number(), window_ms: z.number() }).nullable(),
  sent: z
    .object({
      bytes: z.number(),
      retransmits: z.int().nullable(),
      segments: z.number().nullable(),
      min_rtt_us: z.number().nullable(),
    })
    .nullable(),
  rtt_us: z.object({ min: z.number(), p50: z.number(), p99: z.number(), max: z.number(), samples: z.int() }).nullable(),
  mtu: z.int().nullable(),
  interface: z.string().max(60).nullable(),
});
export type SlotEnded = z.infer<typeof slotEnded>;

const channelOpened = z.object({
  event: z.literal('channel'),
  id,
  ...failure,
  started: monotonicMs.nullable(),
  skew: z.number().nullable(),
});
export type ChannelOpened = z.infer<typeof channelOpened>;

const linkEvent = z.discriminatedUnion('event', [
  linkReady,
  z.object({ event: z.literal('listening'), address: z.string(), port: z.int().min(1).max(65_535) }),
  z.object({ event: z.literal('listen_failed'), address: z.string(), code: z.string() }),
  dialled,
  slotEnded,
  channelOpened,
  z.object({ event: z.literal('heard'), id, text: z.string().regex(/^([0-9a-f]{2})*$/) }),
  z.object({ event: z.literal('hung_up'), id }),
  z.looseObject({ event: z.literal('error'), message: z.string().optional() }),
]);
export type LinkEvent = z.infer<typeof linkEvent>;

const known: ReadonlySet<string> = new Set(linkEvent.options.map((option) => option.shape.event.value));
const header = z.looseObject({ schema: z.string(), event: z.string() });

/**
 * Parses one line of the process. Null for an unknown event.
 * @throws RunnerError wrong-schema, malformed-line
 */
export function parseLinkLine(line: string): LinkEvent | null {
  const head = header.safeParse(parsed(line));
  if (!head.success) throw malformedLine(line, head.error);
  if (head.data.schema !== runnerSchema)
    throw new RunnerError(
      'wrong-schema',
      `the runner speaks ${head.data.schema.slice(0, 60)}, this agent speaks ${runnerSchema}`,
      'Use the runner that was built together with this agent: make native, or reinstall the agent.',
    );
  if (!known.has(head.data.event)) return null;
  const event = linkEvent.safeParse(head.data);
  if (!event.success) throw malformedLine(line, event.error);
  return event.data;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw malformedLine(line, cause);
  }
}
