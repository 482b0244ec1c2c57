import { arithmeticName, type Arithmetic } from '../contract/arithmetic.ts';
import { engineNames, isGemmMetric, jointEngine, type EngineMark } from '../contract/matrix-engine.ts';

/** A device of an upload, or the aggregate of a node: both say which engine stands behind which figure. */
interface Part {
  gemm?: Record<string, { engine: EngineMark; arithmetic?: Arithmetic | undefined }> | undefined;
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
  const notes = [...(mixed.length === 0 ? [] : [mixedNote(mixed)]), ...arithmeticNotes(parts)];
  return { engines: Object.fromEntries(engines), ...(notes.length === 0 ? {} : { notes }) };
}

/** Of a sum of fp32 over devices of which some round to TF32 and others do not. */
function arithmeticNotes(parts: readonly Part[]): string[] {
  const kinds = [...new Set(parts.flatMap((part) => part.gemm?.['fp32_tflops']?.arithmetic ?? []))];
  if (kinds.length < 2) return [];
  const names = kinds.toSorted().map(arithmeticName).join(' and ');
  return [`fp32_tflops: computed in ${names}; the sum holds both and is not to be compared with others`];
}

const mixedNote = (metrics: readonly string[]): string =>
  `${metrics.join(', ')}: measured with ${engineNames.mixed}; the sums hold both and are not to be compared with others`;
