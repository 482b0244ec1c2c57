import { Cache, loadOnce } from '../../platform/cache.ts';
import type { Platform } from '../../platform/context.ts';
import { compact } from '../frame/html.ts';
import { isOver, readJobView, type JobView, type Viewer } from './job-view.ts';
import { region, regions } from './regions.ts';

/** A job's page at one of its changes, as its regions go into the page and down the streams. */
export interface Rendered {
  /** at least the number that was asked for */
  seq: number;
  job: JobView['job'];
  /** nothing of it changes any more */
  isComplete: boolean;
  parts: readonly { region: string; html: string }[];
}

/** All pages of a job at one moment show the same, so it is read and written once for members and once for strangers. */
const memory = new Cache<string, Promise<Rendered>>(200);
/** What no change is counted for, such as a sentence of the portal itself, shows after it. */
const KEPT_MS = 30_000;
/** Stands for the part of a shared page's links that is the link's own secret. */
const ANY_SHARE = '/s/~';

/**
 * The regions of a job after its change `seq`. The caller has found the job to be his, or holds a link to it.
 * Throws `not_found`.
 */
export async function renderJob(
  platform: Pick<Platform, 'sql' | 'now'>,
  { id, seq }: { id: string; seq: number },
  viewer: Viewer,
): Promise<Rendered> {
  const { isShared, base } = viewer;
  const key = JSON.stringify([id, seq, { ...viewer, base: '' }]);
  const time = platform.now().getTime();
  const write = (): Promise<Rendered> => render(platform, id, { ...viewer, base: isShared ? ANY_SHARE : '' });
  const found = await loadOnce(memory, key, write, { time, until: time + KEPT_MS });
  if (!isShared) return found;
  const ours = found.parts.map((part) => ({ ...part, html: part.html.replaceAll(`"${ANY_SHARE}/`, `"${base}/`) }));
  return { ...found, parts: ours };
}

async function render(platform: Pick<Platform, 'sql'>, id: string, viewer: Viewer): Promise<Rendered> {
  const view = await readJobView(platform, id, viewer);
  // Without a node that delivered there will be no report to wait for.
  const isWhole = view.job.report_key !== null || view.nodes.every(({ state }) => state !== 'completed');
  const parts = await Promise.all(
    Object.keys(regions).map(async (name) => ({ region: name, html: compact(String(await region(name, view))) })),
  );
  return { seq: Number(view.job.seq), job: view.job, isComplete: isOver(view.job) && isWhole, parts };
}
