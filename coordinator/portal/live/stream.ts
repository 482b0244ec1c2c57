import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { jobHub } from './hub.ts';
import { isOver, readJobView, type Viewer } from './job-view.ts';
import { region, regions } from './regions.ts';

const BEAT_MS = 15_000;
const CHECK_MS = 60_000;
/** A stream ends then, and the browser begins the next one. */
const MOST_MS = 60 * 60_000;
/** Frames a second. */
const MOST_FRAMES = 5;

/** Streams at a time: of all, and of one customer. */
const most = { all: 1000, customer: 50 } as const;
const open = new Map<string, number>();

interface Options {
  jobId: string;
  viewer: Viewer;
  customerId: string;
  /** the newest number that the browser has seen */
  after: number;
  signal: AbortSignal;
  /** false: the session or the link is over */
  isStillGood: () => Promise<boolean>;
}

/**
 * The job's page as it changes: the server's own fragments, of which only those that differ go out. Whatever number a browser
 * comes back with, what it gets first is the page as it is now, so a lost connection leaves no gap and nothing twice.
 */
export async function jobStream(context: Context, options: Options): Promise<Response> {
  const total = [...open.values()].reduce((sum, count) => sum + count, 0);
  const own = open.get(options.customerId) ?? 0;
  if (total >= most.all || own >= most.customer)
    throw new DomainError('unavailable', 'Too many live pages are open.', { retryAfterSeconds: 30 });
  open.set(options.customerId, own + 1);
  const encoder = new TextEncoder();
  let stop = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const write = (text: string): void => {
        // A browser that does not read gets the newest state later instead of a queue.
        if ((controller.desiredSize ?? 0) > -1024) controller.enqueue(encoder.encode(text));
      };
      stop = follow(context, options, write, () => {
        controller.close();
      });
    },
    cancel: () => stop(),
  });
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  });
}

function follow(context: Context, options: Options, write: (text: string) => void, close: () => void): () => void {
  const { jobId, viewer, customerId, after, signal, isStillGood } = options;
  const sent = new Map<string, string>();
  let newest = after;
  let wanted = after;
  let isBusy = false;
  let isOverNow = false;
  const event = (name: string, data: unknown, id?: number): void =>
    write(`${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  const end = (reason: string | null): void => {
    if (isOverNow) return;
    isOverNow = true;
    unwatch();
    clearInterval(beat);
    clearInterval(check);
    clearTimeout(longest);
    signal.removeEventListener('abort', gone);
    const left = (open.get(customerId) ?? 1) - 1;
    if (left > 0) open.set(customerId, left);
    else open.delete(customerId);
    if (reason === null) return;
    event('bye', { reason, retry_s: reason === 'busy' ? 2 : 0 });
    close();
  };
  const gone = (): void => end(null);
  const tell = async (): Promise<void> => {
    const view = await readJobView(context, jobId, viewer);
    const now = context.now().toISOString();
    const isFirst = sent.size === 0;
    const parts = await Promise.all(
      Object.keys(regions).map(async (id) => ({ region: id, html: String(await region(id, view)) })),
    );
    const changed = parts.filter(({ region: id, html }) => sent.get(id) !== html);
    for (const part of changed) sent.set(part.region, part.html);
    newest = Math.max(newest, Number(view.job.seq), wanted);
    // Its page was made from this very state.
    const isSeen = isFirst && Number(view.job.seq) === after;
    if (changed.length > 0 && !isSeen && !isOverNow) event('snapshot', { parts: changed, at: now }, newest);
    // Without a node that delivered there will be no report to wait for.
    const isWhole = view.job.report_key !== null || view.nodes.every(({ state }) => state !== 'completed');
    if (isOver(view.job) && isWhole) end('ended');
  };
  const changedTo = (seq: number): void => {
    wanted = Math.max(wanted, seq);
    if (isBusy || isOverNow) return;
    isBusy = true;
    tell()
      .catch((error: unknown) => {
        if (!(error instanceof DomainError)) context.log.warn({ err: error }, 'a live page was not told of a change');
        end(error instanceof DomainError ? 'revoked' : 'busy');
      })
      .finally(() => {
        setTimeout(() => {
          isBusy = false;
          if (wanted > newest) changedTo(wanted);
        }, 1000 / MOST_FRAMES).unref();
      });
  };
  const unwatch = jobHub(context).watch(jobId, after, changedTo);
  const beat = setInterval(() => write(': beat\n\n'), BEAT_MS).unref();
  const check = setInterval(() => {
    isStillGood().then(
      (good) => good || end('signed-out'),
      () => end('busy'),
    );
  }, CHECK_MS).unref();
  const longest = setTimeout(() => end('busy'), MOST_MS).unref();
  signal.addEventListener('abort', gone);
  write('retry: 2000\n\n');
  changedTo(after);
  return gone;
}
