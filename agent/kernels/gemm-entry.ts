import { gemmMetrics } from '../../coordinator/contract/matrix-engine.ts';
import type { MatrixEngine } from '../../coordinator/contract/matrix-engine.ts';
import type { GemmFigure } from '../../coordinator/contract/quick-mark.ts';
import { gemmFacts } from './gemm-facts.ts';
import type { DeviceEvent, ResultEvent } from './runner-events.ts';

/** `test_results[].gemm`: what stands beside each measured matrix product of a device. Empty where none was measured. */
export function gemmEntry(device: DeviceEvent, results: ReadonlyMap<string, ResultEvent>): Record<string, GemmFigure> {
  const figures = gemmMetrics.flatMap((metric): [string, GemmFigure][] => {
    const result = results.get(metric);
    const facts = result === undefined ? null : gemmFacts(device, result);
    if (facts === null || facts.engine === null) return [];
    const { engine, fraction_of_spec_peak, spec_peak_tflops, arithmetic, heuristic_first_tflops } = facts;
    const { settled, power } = result?.details ?? {};
    const joules =
      power !== null && typeof power === 'object' && 'joules_per_tflop' in power ? power.joules_per_tflop : null;
    const figure: GemmFigure = {
      engine,
      fraction_of_spec_peak,
      spec_peak_tflops,
      ...(arithmetic ? { arithmetic } : {}),
      ...(heuristic_first_tflops == null ? {} : { heuristic_first_tflops }),
      ...(typeof settled === 'boolean' ? { settled } : {}),
      ...(typeof joules === 'number' ? { joules_per_tflop: joules } : {}),
    };
    return [[metric, figure]];
  });
  return Object.fromEntries(figures);
}

/** The engine behind all of them; null where they come from both, or where there are none. */
export function engineOf(gemm: Record<string, GemmFigure>): MatrixEngine | null {
  const [engine, ...others] = new Set(Object.values(gemm).map((figure) => figure.engine));
  return engine === undefined || others.length > 0 ? null : engine;
}
