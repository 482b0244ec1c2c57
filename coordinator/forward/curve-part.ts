import type { ArchivePart } from '../platform/archive/archive-part.ts';
import { periodOf } from '../platform/archive/periods.ts';
import type { CurveRow } from './queries.ts';

/** The file of one curve. */
export interface CurvePart extends ArchivePart {
  tier: null;
  type: 'forward';
  curveId: string;
}

/** Several curves are of one day: the product and the kind of provider are in the name of the period. */
export function curvePart({ id, as_of, slug, provider_source_type }: CurveRow): CurvePart {
  const day = periodOf('day', as_of);
  const name = `${as_of} ${provider_source_type} ${slug}`;
  return { tier: null, type: 'forward', version: 'first', period: { ...day, name }, curveId: id };
}
