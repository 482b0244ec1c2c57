import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { jobHub } from './hub.ts';
import type { Viewer } from './job-view.ts';
import { renderJob, type Rendered } from './rendered.ts';

const BEAT_MS = 15_000;
/**
 * Interval at which an idle stream checks whether its session or link is still valid. A stream with changes also checks
 * before it sends them, if its last check is older than the second limit.
 */
const CHECK_MS = 60_000;
const CHECK_BEFORE_MS = 10_000;
/** While a job measures, its nodes' progress is read at this interval: it changes nothing of the job, so nothing announces it. */
const PROGRESS_MS = 10_000;
/** A stream ends after this time, and the browser opens a new one. */
const MOST_MS = 60 * 60_000;
/** Frames per second. */
const MOST_FRAMES = 5;
/** Bytes queued for a browser that does not read; beyond this it gets the newest state once it has read the queue. */
const MOST_QUEUED = 256 * 1024;

interface Options {
  jobId: string;
  /** the job's newest change when the stream was requested */
  seq: number;
  isMeasuring: boolean;
  viewer: Viewer;
  owners: Owners;
  /** the newest change number that the browser has seen */
  after: number;
  signal: AbortSignal;
  access: () => Promise<Access>;
}

/**
 * Whether a stream may continue. `renewed`: its cookie is no longer valid, but the browser has a newer one and
 * reconnects with that.
 */
export type Access = 'good' | 'renewed' | 'over';

/**
 * The job's page as it changes: fragments rendered by the server, of which only those that differ are sent. Whatever
 * number a browser reconnects with, it first gets the current page, so a lost connection causes neither gaps nor
 * duplicates. Throws `unavailable` if too many streams are open.
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
  /** false: the browser has not read the previous data, and this is not sent */
  write: (text: string) => boolean;
  close: () => void;
}

interface Following {
  /** the browser has disconnected */
  gone: () => void;
  /** the browser reads again */
  again: () => void;
}

function follow(context: Context, options: Options, { write, close }: Pipe): Following {
  const { jobId, viewer, after, signal } = options;
  const sent = new Map<string, string>();
  let newest = after;
  let wanted = Math.max(after, options.seq);
  let isBusy = false;
  let isOverNow = false;
  /** the browser did not accept the last frame */
  let isOwed = false;
  let { isMeasuring } = options;
  /** progress is to be read, also if a frame is being sent right now */
  let isDue = false;
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
    isDue = false;
    const { seq, job, parts, isComplete } = await renderJob(context, { id: jobId, seq: asked, isMeasuring }, viewer);
    if (isOverNow) return;
    newest = Math.max(newest, seq, asked);
    isMeasuring = job.state === 'running';
    const changed = takeChanged(parts, sent);
    // The browser's page was rendered from this state.
    const isSeen = isFirst && seq === after;
    isOwed = changed.length > 0 && !isSeen && !event('snapshot', snapshotOf(context, changed), newest);
    if (isOwed) sent.clear();
    else if (isComplete) end('ended');
  };
  const changedTo = (seq: number): void => {
    wanted = Math.max(wanted, seq);
    if (isBusy || isOverNow) return;
    isBusy = true;
    tell()
      .catch((error: unknown) => end(whyEnded(context, error)))
      .finally(() => void setTimeout(goOn, 1000 / MOST_FRAMES).unref());
  };
  const goOn = (): void => {
    isBusy = false;
    if (wanted > newest || isOwed || isDue) changedTo(wanted);
  };
  const unwatch = jobHub(context).watch(jobId, wanted, changedTo);
  const stopClock = startClock({
    beat: () => void event('beat', null),
    check: () => void isAllowed().catch(() => end('busy')),
    progress: () => {
      isDue = isMeasuring;
      if (isDue) changedTo(wanted);
    },
    over: () => end('busy'),
  });
  signal.addEventListener('abort', gone);
  write('retry: 2000\n\n');
  changedTo(wanted);
  return { gone, again: () => void (isOwed && changedTo(wanted)) };
}

/** The reason that a browser is told when a change could not be rendered. */
function whyEnded({ log }: Context, error: unknown): 'revoked' | 'busy' {
  if (error instanceof DomainError) return 'revoked';
  log.warn({ err: error }, 'a change was not sent to a live page');
  return 'busy';
}

const frame = (name: string, data: unknown, id: number | undefined): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const snapshotOf = (context: Context, parts: Rendered['parts']) => ({ parts, at: context.now().toISOString() });

/** The regions that differ from what was sent last; records them as sent. */
function takeChanged(parts: Rendered['parts'], sent: Map<string, string>): Rendered['parts'] {
  const changed = parts.filter(({ region, html }) => sent.get(region) !== html);
  for (const { region, html } of changed) sent.set(region, html);
  return changed;
}

/** Timers of a stream, independent of changes. */
function startClock({
  beat,
  check,
  progress,
  over,
}: Record<'beat' | 'check' | 'progress' | 'over', () => void>): () => void {
  const beating = setInterval(beat, BEAT_MS).unref();
  const checking = setInterval(check, CHECK_MS).unref();
  const progressing = setInterval(progress, PROGRESS_MS).unref();
  const longest = setTimeout(over, MOST_MS).unref();
  return () => {
    clearInterval(beating);
    clearInterval(checking);
    clearInterval(progressing);
    clearTimeout(longest);
  };
}

/** The limits that a stream counts towards. */
interface Owners {
  customer: string;
  /** a browser's session, or a shared link */
  session: string;
}

/** Concurrent streams. A browser keeps six connections to one host, and pages need some of them. */
const most = { all: 1000, customer: 50, session: 4 } as const;
const open = new Map<string, number>();
let all = 0;

/** Counts one more stream until the returned function is called; throws `unavailable` if the limit is reached. */
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
