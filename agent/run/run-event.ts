import { z } from 'zod';
import { machineInventory } from '../../coordinator/contract/inventory.ts';
import { engineChoice } from '../../coordinator/contract/matrix-engine.ts';
import { linksEvent, networkEvent } from './network-event.ts';
import { gemmShape, runSummary, togetherSummary } from './run-summary.ts';

/**
 * All events of a run. Every renderer gets the same union: the live table, plain lines and `--json`, where each event
 * is one line with its time.
 */
export const runEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run'),
    mode: z.enum(['job', 'offline', 'quick-test']),
    trace_id: z.string(),
    agent_version: z.string(),
    revision: z.string(),
    coordinator: z.string().nullable(),
    tier: z.string(),
    engine: engineChoice.meta({ description: 'of the command line; a job may ask for another' }),
  }),
  z.object({
    type: z.literal('step'),
    step: z.enum(['setup', 'register', 'inventory', 'measure', 'save', 'upload', 'report']),
    state: z.enum(['started', 'done', 'failed']),
    message: z.string(),
  }),
  z.object({ type: z.literal('inventory'), inventory: machineInventory }),
  z.object({
    type: z.literal('device'),
    device_id: z.string(),
    name: z.string(),
    vendor: z.string(),
    simulated: z.boolean(),
  }),
  z.object({
    type: z.literal('phase'),
    device_id: z.string(),
    benchmark: z.string(),
    state: z.enum(['start', 'end']),
    expected_seconds: z.number(),
    index: z.int().meta({ description: 'from 0' }),
    count: z.int(),
    together: z.literal(true).optional().meta({ description: 'all GPUs at once; absent if the device is alone' }),
  }),
  z.object({
    type: z.literal('stage'),
    stage: z
      .enum(['together', 'turns', 'matrix'])
      .meta({ description: 'all GPUs at once; each alone while the others wait; copies between GPUs' }),
    state: z.enum(['start', 'end']),
    device_ids: z.array(z.string()),
    expected_seconds: z.number(),
    count: z.int().nullable().meta({ description: 'of a matrix: how many pairs it has' }),
  }),
  z.object({ type: z.literal('together'), device_id: z.string(), unit: z.string(), ...togetherSummary.shape }),
  z.object({
    type: z.literal('cell'),
    source_device_id: z.string(),
    target_device_id: z.string(),
    connection_type: z.string(),
    peer_access: z.boolean(),
    simplex_gbs: z.number().nullable().meta({ description: 'one direction; 1 GB = 1e9 bytes' }),
    duplex_gbs: z.number().nullable().meta({ description: 'both directions at once, the sum' }),
    reason: z.string().nullable(),
  }),
  z.object({
    type: z.literal('result'),
    device_id: z.string(),
    metric: z.string(),
    value: z.number().nullable(),
    unit: z.string(),
    reason: z.string().nullable(),
    n: z.int().nullable(),
    cv: z.number().nullable(),
    verified: z.boolean().nullable(),
    ...gemmShape,
  }),
  z.object({
    type: z.literal('telemetry'),
    device_id: z.string(),
    power_watts: z.number().nullable(),
    temperature_celsius: z.number().nullable(),
    clock_mhz: z.number().nullable(),
  }),
  networkEvent,
  linksEvent,
  z.object({
    type: z.literal('notice'),
    level: z.enum(['info', 'warning', 'error']),
    message: z.string(),
    remedy: z.string().nullable(),
  }),
  z.object({
    type: z.literal('measurement'),
    benchmark_id: z.string(),
    state: z.enum(['completed', 'failed', 'skipped']),
    results: z
      .unknown()
      .meta({ description: 'the benchmark part of the upload payload, null if nothing was measured' }),
  }),
  z.object({
    type: z.literal('unsaved-result'),
    message: z.string(),
    result: z.unknown().meta({ description: 'the whole result, because no disk would take it' }),
  }),
  runSummary,
]);
export type RunEvent = z.infer<typeof runEvent>;
export type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** Emits one event to the renderer; never throws, never waits. */
export type Emit = (event: RunEvent) => void;
