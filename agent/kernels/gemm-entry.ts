import { gemmMetrics } from '../../coordinator/contract/matrix-engine.ts';
import type { MatrixEngine } from '../../coordinator/contract/matrix-engine.ts';
import type { GemmFigure } from '../../coordinator/contract/quick-mark.ts';
import { gemmFacts } from './gemm-facts.ts';
import { detailsOf } from './runner-events.ts';
import type { DeviceEvent, ResultEvent } from './runner-events.ts';

/** `test_results[].gemm`: what stands beside each measured matrix product of a device. Empty where none was measured. */
export function gemmEntry(device: DeviceEvent, results: ReadonlyMap<string, ResultEvent>): Record<string, GemmFigure> {
  const figures = gemmMetrics.flatMap((metric): [string, GemmFigure][] => {
    const result = results.get(metric);
    const facts = result === undefined ? null : gemmFacts(device, result);
    if (facts === null || facts.engine === null) return [];
    const { engine, fraction_of_spec_peak, spec_peak_tflops, arithmetic, heuristic_first_tflops } = facts;
    const { settled, power } = result === undefined ? {} : detailsOf(result);
    const figure: GemmFigure = {
      engine,
      fraction_of_spec_peak,
      spec_peak_tflops,
      ...(arithmetic ? { arithmetic } : {}),
      ...(heuristic_first_tflops == null ? {} : { heuristic_first_tflops }),
      ...(settled === undefined ? {} : { settled }),
      ...(power === undefined ? {} : { joules_per_tflop: power.joules_per_tflop }),
    };
    return [[metric, figure]];
  });
  return Object.fromEntries(figures);
}

/** The engine behind all of them; null if they come from both, or where there are none. */
export function engineOf(gemm: Record<string, GemmFigure>): MatrixEngine | null {
  const [engine, ...others] = new Set(Object.values(gemm).map((figure) => figure.engine));
  return engine === undefined || others.length > 0 ? null : engine;
}
