import type { ArchivePart, ArchiveRows } from '../platform/archive/archive-part.ts';
import { periodOf } from '../platform/archive/periods.ts';
import { type CurveRow, readCurveRows, selectCurves, findCurve } from './queries.ts';
import { type BuiltArchive, buildArchive, buildInTurn } from '../platform/archive/build-archive.ts';
import type { Context } from '../platform/context.ts';
import { linkArchive } from '../platform/archive/link-archive.ts';
import { findArchiveOf } from '../platform/archive/queries.ts';
import { DomainError } from '../platform/errors.ts';

/** The file of one curve. */
export interface CurvePart extends ArchivePart {
  tier: null;
  type: 'forward';
  curveId: string;
}

/** A day has several curves, so the name of the period includes the product and the kind of provider. */
export function curvePart({ id, as_of, slug, provider_source_type }: CurveRow): CurvePart {
  const day = periodOf('day', as_of);
  const name = `${as_of} ${provider_source_type} ${slug}`;
  return { tier: null, type: 'forward', version: 'first', period: { ...day, name }, curveId: id };
}

/** A curve never changes, so its id identifies all that its file is made from. */
export const curveRows: ArchiveRows<CurvePart> = {
  read: readCurveRows,
  fingerprint: (_, { curveId }) => Promise.resolve(curveId),
};

/** Builds the missing files of all curves of these days; usually a curve's file is built with the curve. */
export async function* buildCurveArchives(
  context: Context,
  { from, to }: { from: string; to: string },
): AsyncGenerator<BuiltArchive<CurvePart>> {
  const curves = await selectCurves(context.sql, { first: from, last: to });
  yield* buildInTurn(context, curveRows, curves.map(curvePart));
}

/** A URL that opens the whole curve as CSV for an hour. Throws `not_found` for an unknown id. */
export async function downloadCurve(context: Context, id: string): Promise<{ csv_download_url: string }> {
  const missing = () => new DomainError('not_found', `No forward curve has the id ${id}. Take ids from list.`);
  const curve = await findCurve(context.sql, id);
  if (curve === null) throw missing();
  const part = curvePart(curve);
  // Built now if a process died after it stored the curve and before it built the file.
  const file =
    (await findArchiveOf(context.sql, part)) ??
    (await buildArchive(context, curveRows, part).then(() => findArchiveOf(context.sql, part)));
  if (file === null) throw missing();
  const { as_of, slug, provider_source_type } = curve;
  return linkArchive(context, file, `forward-${slug}-${provider_source_type.toLowerCase()}-${as_of}.csv`);
}
