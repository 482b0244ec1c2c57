import { engineNames, isGemmMetric, jointEngine, type EngineMark } from './matrix-engine.ts';

/** A device of an upload, or the aggregate of a node: both say which engine stands behind which figure. */
interface Part {
  gemm?: Record<string, { engine: EngineMark }> | undefined;
  engines?: Record<string, EngineMark> | undefined;
  /** of a device whose agent names one engine for all its figures */
  engine?: EngineMark | null | undefined;
}

/** The engine behind one figure of a device or of a node's sum; null where nobody says. */
export function engineBehind(part: Part, metric: string): EngineMark | null {
  if (!isGemmMetric(metric)) return null;
  return part.gemm?.[metric]?.engine ?? part.engines?.[metric] ?? part.engine ?? null;
}

/**
 * What to say of sums over parts that may have been computed by different engines. Every part is a true throughput, and so
 * is their sum: it stands, since an empty sum would say that a device has no figure. But it is marked `mixed` with a
 * sentence, and nothing compares it. Empty where no part names an engine.
 */
export function aggregateEngines(
  parts: readonly Part[],
  metrics: readonly string[],
): { engines?: Record<string, EngineMark>; notes?: string[] } {
  const engines = metrics.flatMap((metric): [string, EngineMark][] => {
    const joint = jointEngine(parts.flatMap((part) => engineBehind(part, metric) ?? []));
    return joint === null ? [] : [[metric, joint]];
  });
  if (engines.length === 0) return {};
  const mixed = engines.filter(([, engine]) => engine === 'mixed').map(([metric]) => metric);
  return { engines: Object.fromEntries(engines), ...(mixed.length === 0 ? {} : { notes: [mixedNote(mixed)] }) };
}

const mixedNote = (metrics: readonly string[]): string =>
  `${metrics.join(', ')}: measured with ${engineNames.mixed}; the sums hold both and are not to be compared with others`;
