import { type BurstFigure, type LoadClass, loadOf } from '../../coordinator/contract/load-class.ts';
import {
  arithmeticOf,
  type Arithmetic,
  isGemmMetric,
  type MatrixEngine,
} from '../../coordinator/contract/matrix-engine.ts';
import { tflopsBy } from '../../coordinator/figures/judge-figure.ts';
import { detailsOf } from './runner-events.ts';
import type { DeviceEvent, ResultEvent } from './runner-events.ts';
import { specShare } from './spec-share.ts';

/** Further facts about a throughput; null if not applicable or unknown. */
export interface GemmFacts {
  /** For matrix products only: other figures have a single source. */
  engine: MatrixEngine | null;
  fraction_of_spec_peak: number | null;
  spec_peak_tflops: number | null;
  /** The same product by the other engine. */
  other_engine_tflops: number | null;
  /** Only for `fp32_tflops`, whose arithmetic depends on the device. */
  arithmetic?: Arithmetic | null;
  /** Throughput of the library's first proposal, the one that frameworks use. */
  heuristic_first_tflops?: number | null;
  /** Also of multiply-add and issue peaks; null if the runner did not report it. */
  load?: LoadClass | null;
  /** What the product reaches in its first quarter of a second. */
  burst?: BurstFigure | null;
}

export function gemmFacts(device: DeviceEvent, result: ResultEvent): GemmFacts {
  const share = specShare(device, result);
  const isShown = isGemmMetric(result.metric) && result.value !== null && result.verified !== false;
  const other = result.engine === 'own' ? 'vendor' : 'own';
  return {
    engine: isShown ? result.engine : null,
    fraction_of_spec_peak: share?.fraction_of_spec_peak ?? null,
    spec_peak_tflops: share?.spec_peak_tflops ?? null,
    other_engine_tflops: isShown ? tflopsBy(other, result.details) : null,
    arithmetic: isShown ? arithmeticOf(result.metric, result.details) : null,
    heuristic_first_tflops: isShown ? (detailsOf(result).heuristic_first_tflops ?? null) : null,
    load: result.value === null ? null : loadOf(result.metric, result.details),
    burst: isShown ? (detailsOf(result).burst ?? null) : null,
  };
}
