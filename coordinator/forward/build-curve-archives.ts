import type { BuiltArchive } from '../platform/archive/build-archive.ts';
import { buildInTurn } from '../platform/archive/build-in-turn.ts';
import type { Context } from '../platform/context.ts';
import { curvePart, type CurvePart } from './curve-part.ts';
import { curveRows } from './curve-rows.ts';
import { selectCurves } from './queries.ts';

/** The files of all curves of these days that have none: a curve's own is built with it. */
export async function* buildCurveArchives(
  context: Context,
  { from, to }: { from: string; to: string },
): AsyncGenerator<BuiltArchive<CurvePart>> {
  const curves = await selectCurves(context.sql, { first: from, last: to });
  yield* buildInTurn(context, curveRows, curves.map(curvePart));
}
