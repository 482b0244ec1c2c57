import { z } from 'zod';

/** Limits of the settings of a `cluster_network`. Unknown keys are ignored, wrong values are a 400 that names the key. */
export const networkLimits = {
  timeoutSeconds: { min: 10, max: 86_400, default: 300 },
  /** registering GPU memory with the interface before each transfer takes seconds */
  slotSeconds: { min: 2, max: 60, tcp: 3, rdma_host: 5, rdma_gpu: 10 },
  degree: { min: 1, max: 255 },
  joinSeconds: { min: 1, max: 3600, default: 120 },
  streams: { min: 1, max: 16 },
  pingPauseMs: { min: 0, max: 100 },
  /** rows inline in a job's detail: K_64 and its retests */
  inlineMeasurements: 2100,
  perPage: 2100,
} as const;

export const networkTransport = z.enum(['tcp', 'rdma_host', 'rdma_gpu']);
export type NetworkTransport = z.infer<typeof networkTransport>;

/** `a-b`, both ends included. */
export const portRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, 'must be two ports with a dash between, such as 20000-20999')
  .refine((range) => {
    const [first = 0, last = 0] = range.split('-').map(Number);
    return first >= 1 && first <= last && last <= 65_535;
  }, 'must go from a lower to a higher port, within 1 to 65535');

const bounded = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max);
const count = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);

/** Configuration of `cluster_network`: all keys optional, null means absent. */
export const networkConfig = z
  .object({
    timeout: bounded(networkLimits.timeoutSeconds)
      .nullish()
      .meta({ description: 'seconds for everything after the nodes have joined; default 300' }),
    graph: z.enum(['auto', 'full', 'degree']).nullish().meta({
      description: 'every pair (full), a random regular graph (degree), or full where four fifths of the time allow it',
    }),
    degree: count(networkLimits.degree).nullish().meta({ description: 'links of each node; only with graph degree' }),
    slot_seconds: bounded(networkLimits.slotSeconds)
      .nullish()
      .meta({ description: 'time of one link: default 3 with tcp, 5 with rdma_host, 10 with rdma_gpu' }),
    transport: z
      .enum(['auto', ...networkTransport.options])
      .nullish()
      .meta({ description: 'auto: rdma_gpu, rdma_host or tcp, the first that every node has and proves' }),
    port_range: portRange.nullish().meta({ description: 'ports the nodes listen on; a node’s own option wins' }),
    streams: count(networkLimits.streams)
      .nullish()
      .meta({ description: 'TCP connections per link; default by the speed of the interfaces' }),
    ping_pause_ms: bounded(networkLimits.pingPauseMs)
      .nullish()
      .meta({ description: 'pause between two pings, for many nodes on one machine; default 0' }),
    join_seconds: bounded(networkLimits.joinSeconds)
      .nullish()
      .meta({ description: 'how long the first node waits for the others; default 120' }),
    collective: z.enum(['auto', 'off']).nullish().meta({
      description: 'auto: all-reduce and broadcast over the whole job where every node has NCCL, or every one RCCL',
    }),
  })
  .refine((config) => config.graph !== 'degree' || config.degree != null, {
    path: ['degree'],
    error: 'is needed with graph degree',
  })
  .refine((config) => config.degree == null || config.graph === 'degree', {
    path: ['degree'],
    error: 'goes with graph degree only',
  })
  .meta({ id: 'ClusterNetworkConfig' });
export type NetworkConfig = z.infer<typeof networkConfig>;
