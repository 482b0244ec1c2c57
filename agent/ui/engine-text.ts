import type { MatrixEngine } from '../../coordinator/contract/matrix-engine.ts';
import { besidePeak, healthyWords } from '../../coordinator/figures/reference-words.ts';
import { figureText } from './figure-text.ts';
import type { MetricSummary } from '../run/run-summary.ts';

/** Short, so that engine, share and the other figure fit one line beside the labels in 80 columns. */
const NAMES: Readonly<Record<MatrixEngine, string>> = { vendor: 'vendor library', own: 'own kernels' };

type Shown = Pick<
  MetricSummary,
  | 'metric'
  | 'engine'
  | 'fraction_of_spec_peak'
  | 'spec_peak_tflops'
  | 'other_engine_tflops'
  | 'arithmetic'
  | 'load'
  | 'burst'
>;

/**
 * `vendor library, sustained, 69 % of the data-sheet peak (989); a healthy H200 reaches 673; own kernels 686.0; burst 752.0, n 50`:
 * the parts that are known; null if all are missing.
 * @param model as the driver reports it; null if it is unknown
 */
export function engineText(shown: Shown, model: string | null): string | null {
  const {
    engine,
    fraction_of_spec_peak: share,
    spec_peak_tflops: peak,
    other_engine_tflops: other,
    load,
    burst,
  } = shown;
  const how = { engine, arithmetic: shown.arithmetic ?? null, load: load ?? null };
  const healthy = model === null ? null : healthyWords(model, shown.metric, how);
  const parts = [
    ...(engine === null ? [] : [NAMES[engine]]),
    ...(load ? [load] : []),
    ...(share === null || peak === null ? [] : [besidePeak(share, peak, healthy)]),
  ].join(', ');
  const beside = engine === null || other === null ? [] : [`${NAMES[otherOf(engine)]} ${figureText(other)}`];
  const first = burst ? [`burst ${figureText(burst.tflops)}, n ${burst.n}`] : [];
  return [...(parts === '' ? [] : [parts]), ...beside, ...first].join('; ') || null;
}

const otherOf = (engine: MatrixEngine): MatrixEngine => (engine === 'own' ? 'vendor' : 'own');
