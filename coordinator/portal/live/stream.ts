import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { jobHub } from './hub.ts';
import type { Viewer } from './job-view.ts';
import { renderJob, type Rendered } from './rendered.ts';

const BEAT_MS = 15_000;
/** An idle page asks so often whether its session or link still holds; one that is told something, before it is told. */
const CHECK_MS = 60_000;
const CHECK_BEFORE_MS = 10_000;
/** A stream ends then, and the browser begins the next one. */
const MOST_MS = 60 * 60_000;
/** Frames a second. */
const MOST_FRAMES = 5;
/** What waits for a browser that does not read; instead of more it gets the newest state when it has read that. */
const MOST_QUEUED = 256 * 1024;

interface Options {
  jobId: string;
  /** the job's newest change when the stream was asked for */
  seq: number;
  viewer: Viewer;
  owners: Owners;
  /** the newest number that the browser has seen */
  after: number;
  signal: AbortSignal;
  access: () => Promise<Access>;
}

/** Whether a stream may go on. `renewed`: its cookie is dead, but the browser has a newer one and comes back with that. */
export type Access = 'good' | 'renewed' | 'over';

/**
 * The job's page as it changes: the server's own fragments, of which only those that differ go out. Whatever number a browser
 * comes back with, what it gets first is the page as it is now, so a lost connection leaves no gap and nothing twice.
 * Throws `unavailable` if too many are open.
 */
export async function jobStream(context: Context, options: Options): Promise<Response> {
  const uncount = countStream(options.owners);
  const encoder = new TextEncoder();
  let following: Following | null = null;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const write = (text: string): boolean => {
          if ((controller.desiredSize ?? 0) <= 0) return false;
          controller.enqueue(encoder.encode(text));
          return true;
        };
        const close = (): void => {
          uncount();
          try {
            controller.close();
          } catch {
            // The browser closed it first.
          }
        };
        following = follow(context, options, { write, close });
      },
      pull: () => following?.again(),
      cancel: () => following?.gone(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_QUEUED }),
  );
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  });
}

interface Pipe {
  /** false: the browser has not read what it was sent before, and this is not sent */
  write: (text: string) => boolean;
  close: () => void;
}

interface Following {
  /** the browser is away */
  gone: () => void;
  /** it reads again */
  again: () => void;
}

function follow(context: Context, options: Options, { write, close }: Pipe): Following {
  const { jobId, viewer, after, signal } = options;
  const sent = new Map<string, string>();
  let newest = after;
  let wanted = Math.max(after, options.seq);
  let isBusy = false;
  let isOverNow = false;
  /** the browser did not take what it was sent last */
  let isOwed = false;
  let checkedAt = performance.now();
  const event = (name: string, data: unknown, id?: number): boolean => write(frame(name, data, id));
  const end = (reason: string | null): void => {
    if (isOverNow) return;
    isOverNow = true;
    unwatch();
    stopClock();
    signal.removeEventListener('abort', gone);
    if (reason !== null) event('bye', { reason, retry_s: reason === 'busy' ? 2 : 0 });
    close();
  };
  const gone = (): void => end(null);
  const isAllowed = async (): Promise<boolean> => {
    checkedAt = performance.now();
    const access = await options.access();
    if (access !== 'good') end(access === 'renewed' ? 'busy' : 'signed-out');
    return access === 'good';
  };
  const tell = async (): Promise<void> => {
    const isFirst = sent.size === 0 && !isOwed;
    if (!isFirst && performance.now() - checkedAt > CHECK_BEFORE_MS && !(await isAllowed())) return;
    const asked = wanted;
    const { seq, parts, isComplete } = await renderJob(context, { id: jobId, seq: asked }, viewer);
    if (isOverNow) return;
    newest = Math.max(newest, seq, asked);
    const changed = takeChanged(parts, sent);
    // Its page was made from this very state.
    const isSeen = isFirst && seq === after;
    const news = { parts: changed, at: context.now().toISOString() };
    isOwed = changed.length > 0 && !isSeen && !event('snapshot', news, newest);
    if (isOwed) sent.clear();
    else if (isComplete) end('ended');
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
      .finally(() => void setTimeout(goOn, 1000 / MOST_FRAMES).unref());
  };
  const goOn = (): void => {
    isBusy = false;
    if (wanted > newest || isOwed) changedTo(wanted);
  };
  const unwatch = jobHub(context).watch(jobId, wanted, changedTo);
  const stopClock = startClock({
    beat: () => void event('beat', null),
    check: () => void isAllowed().catch(() => end('busy')),
    over: () => end('busy'),
  });
  signal.addEventListener('abort', gone);
  write('retry: 2000\n\n');
  changedTo(wanted);
  return { gone, again: () => void (isOwed && changedTo(wanted)) };
}

const frame = (name: string, data: unknown, id: number | undefined): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The regions that are not as they were sent last; from now on they are. */
function takeChanged(parts: Rendered['parts'], sent: Map<string, string>): Rendered['parts'] {
  const changed = parts.filter(({ region, html }) => sent.get(region) !== html);
  for (const { region, html } of changed) sent.set(region, html);
  return changed;
}

/** What happens to a stream without any news. */
function startClock({ beat, check, over }: Record<'beat' | 'check' | 'over', () => void>): () => void {
  const beating = setInterval(beat, BEAT_MS).unref();
  const checking = setInterval(check, CHECK_MS).unref();
  const longest = setTimeout(over, MOST_MS).unref();
  return () => {
    clearInterval(beating);
    clearInterval(checking);
    clearTimeout(longest);
  };
}

/** Whom a stream counts for. */
interface Owners {
  customer: string;
  /** a browser's session, or a link that was shared */
  session: string;
}

/** Streams at a time. A browser keeps six connections to one place, and pages need some of them. */
const most = { all: 1000, customer: 50, session: 4 } as const;
const open = new Map<string, number>();
let all = 0;

/** Counts one more stream until what is returned is called; throws `unavailable` if there are enough. */
function countStream({ customer, session }: Owners): () => void {
  const keys = [`customer ${customer}`, session];
  const counts = keys.map((key) => open.get(key) ?? 0);
  if (all >= most.all || (counts[0] ?? 0) >= most.customer || (counts[1] ?? 0) >= most.session)
    throw new DomainError('unavailable', 'Too many live pages are open. Close one of them.', { retryAfterSeconds: 30 });
  all += 1;
  for (const key of keys) open.set(key, (open.get(key) ?? 0) + 1);
  let isCounted = true;
  return () => {
    if (!isCounted) return;
    isCounted = false;
    all -= 1;
    for (const key of keys) {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    }
  };
}
