import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { type LoadClass, loadClass, type LoadMark } from '../../coordinator/contract/load-class.ts';
import {
  arithmetic,
  type ArithmeticMark,
  type EngineMark,
  matrixEngine,
} from '../../coordinator/contract/matrix-engine.ts';
import { jointLoad } from '../../coordinator/figures/compare-loads.ts';
import { jointMark } from '../../coordinator/figures/compare-engines.ts';
import { ExitError } from '../run/exit-error.ts';
import { median } from '../../coordinator/figures/statistics.ts';

/** Figures of an earlier run: model -> metric -> median over that run's devices. */
export interface Baseline {
  path: string;
  models: Map<string, BaselineModel>;
}

interface BaselineModel {
  simulated: boolean;
  figures: Map<string, BaselineFigure>;
  /** device id -> its own figures: a card differs from itself by less than from others */
  by_device: Map<string, Map<string, BaselineFigure>>;
}

interface BaselineFigure {
  value: number;
  /** Engine of a matrix product. Older files do not name it: all their figures are from our own kernels. */
  engine: EngineMark;
  /** Arithmetic of `fp32_tflops`; null if the file does not contain it. */
  arithmetic: ArithmeticMark | null;
  /** Load class; null if the file does not contain it, as older ones do not. */
  load: LoadMark | null;
}

/** Even a large node's result takes only megabytes: a larger file is not a result. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** Maximum number of models named in the error; a file may have thousands. */
const NAMED_MODELS_MAX = 5;

const engine = matrixEngine.nullish().catch(null);
const kind = arithmetic.nullish().catch(null);
const load = loadClass.nullish().catch(null);
const id = z.string().nullish().catch(null);
const summaryFile = z.looseObject({
  schema: z.literal('gpumark.summary/1'),
  devices: z.array(
    z.looseObject({
      device_id: id,
      name: z.string(),
      simulated: z.boolean(),
      metrics: z.array(
        z.looseObject({ metric: z.string(), value: z.number().nullable(), engine, arithmetic: kind, load }),
      ),
    }),
  ),
});
const gemmOfDevice = z.looseObject({ engine, arithmetic: kind, load });
const payloadFile = z.looseObject({
  benchmark_results: z.looseObject({
    quick_mark: z.looseObject({
      test_results: z.array(
        z.looseObject({
          gpu_id: id,
          gpu_model: z.string(),
          simulated: z.boolean().default(false),
          gemm: z.record(z.string(), gemmOfDevice).default({}).catch({}),
        }),
      ),
    }),
  }),
});

type DeviceFigure = BaselineFigure & { load: LoadClass | null };

interface Measured {
  id: string | null;
  model: string;
  simulated: boolean;
  figures: [string, DeviceFigure][];
}

/**
 * Reads `--baseline FILE`: the summary of an earlier run (the whole output of `--json`, or its last line), the payload
 * of an upload, or a file of the spool.
 * @throws ExitError usage for a file that cannot be read or is neither
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
        ].map(([metric, values]) => [metric, jointFigure(values.map(([, figure]) => figure))]),
      ),
      by_device: new Map(group.flatMap(({ id: own, figures }) => (own === null ? [] : [[own, new Map(figures)]]))),
    },
  ]);
  return { path, models: new Map(models) };
}

/**
 * Refuses a baseline that has none of these devices' models, before anything is measured.
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
    `--baseline: ${baseline.path} has results of ${theirs.slice(0, NAMED_MODELS_MAX).join(', ')}, not of ${[...new Set(devices.map((device) => device.name))].join(', ')}`,
    'Give the result of an earlier run of the same model, or leave the option out.',
  );
}

const jointFigure = (figures: readonly DeviceFigure[]): BaselineFigure => ({
  value: median(figures.map(({ value }) => value)),
  engine: jointMark(figures.map((figure) => figure.engine)) ?? 'own',
  arithmetic: jointArithmetic(figures),
  load: jointLoad(figures.map((figure) => figure.load)),
});

/** The common arithmetic of the figures: `mixed` if they differ, null if it is unknown for all. */
function jointArithmetic(figures: readonly BaselineFigure[]): ArithmeticMark | null {
  const [first = null, ...others] = new Set(figures.map((figure) => figure.arithmetic));
  return others.length === 0 ? first : 'mixed';
}

function readText(path: string): string {
  try {
    const text = readUpTo(path, FILE_BYTES_MAX);
    if (text !== null) return text;
  } catch (cause) {
    throw new ExitError('usage', `--baseline: ${path} cannot be read`, null, cause);
  }
  throw new ExitError('usage', `--baseline: ${path} is larger than 64 MiB`);
}

/** Null for a longer file. Devices and pipes have no size to check first, and may be endless. */
function readUpTo(path: string, bytesMax: number): string | null {
  const file = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let total = 0; total <= bytesMax;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const count = readSync(file, chunk);
      if (count === 0) return Buffer.concat(chunks).toString('utf8');
      chunks.push(chunk.subarray(0, count));
      total += count;
    }
    return null;
  } finally {
    closeSync(file);
  }
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
    return summary.data.devices.map(({ device_id, name, simulated, metrics }) => ({
      id: device_id ?? null,
      model: name,
      simulated,
      figures: metrics.flatMap(({ metric, value, engine: by, arithmetic: of, load: under }): Measured['figures'] =>
        value === null ? [] : [[metric, { value, engine: by ?? 'own', arithmetic: of ?? null, load: under ?? null }]],
      ),
    }));
  const upload = payloadFile.safeParse(payloadOf(document));
  if (!upload.success) return [];
  return upload.data.benchmark_results.quick_mark.test_results.map(
    ({ gpu_id, gpu_model, simulated, gemm, ...rest }) => ({
      id: gpu_id ?? null,
      model: gpu_model,
      simulated,
      figures: Object.entries(rest).flatMap(([metric, value]): Measured['figures'] =>
        typeof value === 'number' && Number.isFinite(value) ? [[metric, { value, ...kindOf(gemm[metric]) }]] : [],
      ),
    }),
  );
}

const kindOf = (told: z.infer<typeof gemmOfDevice> | undefined): Omit<DeviceFigure, 'value'> => ({
  engine: told?.engine ?? 'own',
  arithmetic: told?.arithmetic ?? null,
  load: told?.load ?? null,
});

/** The payload of a spool file (entry.result.payload) or of a results request; any other document is returned unchanged. */
function payloadOf(document: unknown): unknown {
  const isHolder = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object';
  return ['entry', 'result', 'payload'].reduce<unknown>(
    (value, name) => (isHolder(value) && name in value ? value[name] : value),
    document,
  );
}
