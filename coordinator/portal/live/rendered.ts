import { Cache, loadOnce } from '../../platform/cache.ts';
import type { Platform } from '../../platform/context.ts';
import { compact } from '../frame/html.ts';
import { isOver, readJobView, type JobView, type Viewer } from './job-view.ts';
import { region, regions } from './regions.ts';

/** A job's page after one of its changes, split into regions for the page and the streams. */
export interface Rendered {
  /** at least the requested number */
  seq: number;
  job: JobView['job'];
  /** the page will not change again */
  isComplete: boolean;
  parts: readonly { region: string; html: string }[];
}

/**
 * All pages of a job show the same at a given change, so it is read and rendered once for members and once for shared
 * links.
 */
const memory = new Cache<string, Promise<Rendered>>(200);
/** Changes without a change number appear after at most this time: texts of the portal itself; progress while a job measures. */
const KEPT_MS = 30_000;
const KEPT_MEASURING_MS = 5000;
/** Placeholder for the secret part of the links on a shared page. */
const ANY_SHARE = '/s/~';

/**
 * The regions of a job after its change `seq`. The caller has checked that the job belongs to the reader or that they
 * hold a link to it. Throws `not_found`.
 */
export async function renderJob(
  platform: Pick<Platform, 'sql' | 'now'>,
  { id, seq, isMeasuring }: { id: string; seq: number; isMeasuring: boolean },
  viewer: Viewer,
): Promise<Rendered> {
  const { isShared, base } = viewer;
  const key = JSON.stringify([id, seq, isMeasuring, { ...viewer, base: '' }]);
  const time = platform.now().getTime();
  const write = (): Promise<Rendered> => render(platform, id, { ...viewer, base: isShared ? ANY_SHARE : '' });
  const found = await loadOnce(memory, key, write, { time, until: time + (isMeasuring ? KEPT_MEASURING_MS : KEPT_MS) });
  if (!isShared) return found;
  const ours = found.parts.map((part) => ({ ...part, html: part.html.replaceAll(`"${ANY_SHARE}/`, `"${base}/`) }));
  return { ...found, parts: ours };
}

async function render(platform: Pick<Platform, 'sql'>, id: string, viewer: Viewer): Promise<Rendered> {
  const view = await readJobView(platform, id, viewer);
  // If no node came, or the report could not be made, there is no report to wait for.
  const isWhole = view.job.report_key !== null || !view.job.is_report_due;
  const parts = await Promise.all(
    Object.keys(regions).map(async (name) => ({ region: name, html: compact(String(await region(name, view))) })),
  );
  return { seq: Number(view.job.seq), job: view.job, isComplete: isOver(view.job) && isWhole, parts };
}
