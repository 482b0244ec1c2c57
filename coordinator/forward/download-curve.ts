import { buildArchive } from '../platform/archive/build-archive.ts';
import { linkArchive } from '../platform/archive/link-archive.ts';
import { findArchiveOf } from '../platform/archive/queries.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { curvePart } from './curve-part.ts';
import { curveRows } from './curve-rows.ts';
import { findCurve } from './queries.ts';

/** A URL that opens the whole curve as CSV for an hour. Throws `not_found` for an id that is in no list. */
export async function downloadCurve(context: Context, id: string): Promise<{ csv_download_url: string }> {
  const missing = () => new DomainError('not_found', `No forward curve has the id ${id}. Take ids from list.`);
  const curve = await findCurve(context.sql, id);
  if (curve === null) throw missing();
  const part = curvePart(curve);
  // A process that died between the curve and its file left the file to be made now.
  const file =
    (await findArchiveOf(context.sql, part)) ??
    (await buildArchive(context, curveRows, part).then(() => findArchiveOf(context.sql, part)));
  if (file === null) throw missing();
  const { as_of, slug, provider_source_type } = curve;
  return linkArchive(context, file, `forward-${slug}-${provider_source_type.toLowerCase()}-${as_of}.csv`);
}
