import type { ArchiveRows } from '../platform/archive/archive-part.ts';
import type { CurvePart } from './curve-part.ts';
import { readCurveRows } from './queries.ts';

/** A curve never changes, so its id says all that its file is made of. */
export const curveRows: ArchiveRows<CurvePart> = {
  read: readCurveRows,
  fingerprint: (_, { curveId }) => Promise.resolve(curveId),
};
