import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ExitError } from '../cli/exit-error.ts';
import { medianOf } from './median.ts';

/** An earlier run's figures: model -> metric -> the median over that run's devices. */
export interface Baseline {
  path: string;
  models: Map<string, BaselineModel>;
}

export interface BaselineModel {
  simulated: boolean;
  figures: Map<string, number>;
}

/** Megabytes hold the result of any node; a larger file is none. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

const summaryFile = z.looseObject({
  schema: z.literal('gpumark.summary/1'),
  devices: z.array(
    z.looseObject({
      name: z.string(),
      simulated: z.boolean(),
      metrics: z.array(z.looseObject({ metric: z.string(), value: z.number().nullable() })),
    }),
  ),
});
const payloadFile = z.looseObject({
  benchmark_results: z.looseObject({
    quick_mark: z.looseObject({
      test_results: z.array(z.looseObject({ gpu_model: z.string(), simulated: z.boolean().default(false) })),
    }),
  }),
});

interface Measured {
  model: string;
  simulated: boolean;
  figures: [string, number][];
}

/**
 * Reads `--baseline FILE`: the summary of an earlier run (the whole output of `--json`, or its last line), the payload of
 * an upload, or a file of the spool.
 * @throws ExitError usage for a file that cannot be read or holds neither
 */
export function readBaseline(path: string): Baseline {
  const text = readText(path);
  const documents = [parsed(text), parsed(text.trimEnd().split('\n').at(-1) ?? '')];
  const devices = documents.map(devicesOf).find((found) => found.length > 0);
  if (devices === undefined)
    throw new ExitError(
      'usage',
      `--baseline: ${path} is neither a summary nor an upload of an earlier run`,
      'Save one with: gpumark-agent --json > baseline.json',
    );
  const models = [...Map.groupBy(devices, (device) => device.model)].map(([model, group]): [string, BaselineModel] => [
    model,
    {
      simulated: group.some((device) => device.simulated),
      figures: new Map(
        [
          ...Map.groupBy(
            group.flatMap((device) => device.figures),
            ([metric]) => metric,
          ),
        ].map(([metric, values]) => [metric, medianOf(values.map(([, value]) => value))]),
      ),
    },
  ]);
  return { path, models: new Map(models) };
}

/**
 * Refuses a baseline that says nothing about any of these devices, before anything is measured.
 * @throws ExitError usage
 */
export function refuseForeignBaseline(
  baseline: Baseline,
  devices: readonly { name: string; simulated: boolean }[],
): void {
  if (devices.some((device) => baseline.models.get(device.name)?.simulated === device.simulated)) return;
  const theirs = [...baseline.models].map(([model, { simulated }]) => (simulated ? `${model} (simulated)` : model));
  throw new ExitError(
    'usage',
    `--baseline: ${baseline.path} is of ${theirs.join(', ')}, not of ${[...new Set(devices.map((device) => device.name))].join(', ')}`,
    'Give the result of an earlier run of the same model, or leave the option out.',
  );
}

function readText(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length <= FILE_BYTES_MAX) return text;
  } catch (cause) {
    throw new ExitError('usage', `--baseline: ${path} cannot be read`, null, cause);
  }
  throw new ExitError('usage', `--baseline: ${path} is larger than 64 MiB`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function devicesOf(document: unknown): Measured[] {
  const summary = summaryFile.safeParse(document);
  if (summary.success)
    return summary.data.devices.map(({ name, simulated, metrics }) => ({
      model: name,
      simulated,
      figures: metrics.flatMap(({ metric, value }) => (value === null ? [] : [[metric, value]])),
    }));
  const upload = payloadFile.safeParse(payloadOf(document));
  if (!upload.success) return [];
  return upload.data.benchmark_results.quick_mark.test_results.map(({ gpu_model, simulated, ...rest }) => ({
    model: gpu_model,
    simulated,
    figures: Object.entries(rest).flatMap(([metric, value]): [string, number][] =>
      typeof value === 'number' ? [[metric, value]] : [],
    ),
  }));
}

/** The payload of a spool file (entry.result.payload) or of a results request; any other document is itself. */
function payloadOf(document: unknown): unknown {
  const isHolder = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object';
  return ['entry', 'result', 'payload'].reduce<unknown>(
    (value, name) => (isHolder(value) && name in value ? value[name] : value),
    document,
  );
}
