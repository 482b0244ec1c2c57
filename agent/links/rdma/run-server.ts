import { cutShort, holdAgainst } from './hold-against.ts';
import { failureOf, none, readFigure, valueOf, type Figure } from './read-figure.ts';
import { perftestRequest } from './perftest-request.ts';
import type { ProgramEnd, RunningProgram } from './run-program.ts';
import type { Rail, SlotContext } from './slot-context.ts';
import type { Phase } from './talk.ts';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { familyOf } from './process-family.ts';

interface Server {
  port: number;
  program: RunningProgram;
  json_path: string | null;
}

const PORT_TRIES = 3;
const LOOK_MS = 10;
/** A client has ended: its server follows at once, or not at all. */
const FOLLOW_MS = 1000;
/** A client that fails for its server's sake may be heard of before the server's own end, on a busy machine. */
const FAIL_MS = 250;

/**
 * The receiving end of one phase: a perftest server for each rail. The other end is told the ports once they are listened on,
 * and tells its figures when its clients have ended.
 */
export async function runServers(context: SlotContext, phase: Phase): Promise<Figure[]> {
  const servers = await Promise.all(context.rails.map((rail) => openServer(context, phase, rail)));
  context.talk.say({ say: 'ready', phase, ports: servers.map((server) => ('port' in server ? server.port : null)) });
  const theirs = await context.talk.hear('figures', phase);
  const figures = await Promise.all(
    servers.map(async (server, place) =>
      'port' in server ? await closeServer(context, phase, server, theirs?.figures ?? null, place) : server,
    ),
  );
  context.talk.say({ say: 'figures', phase, figures: figures.map(valueOf) });
  return holdAgainst(context, figures, theirs?.figures ?? null);
}

/** Another program may have the port: perftest ends at once, and another port is tried. */
async function openServer(context: SlotContext, phase: Phase, rail: Rail): Promise<Server | Figure> {
  let last: Figure = none('timeout', 'no time to start');
  for (let count = 0; count < PORT_TRIES; count += 1) {
    const port = context.pickPort();
    const { request, json_path } = perftestRequest(context, phase, rail, port, null);
    const program = context.pool.start(request);
    if (program === null) return last;
    const end = await untilListening(context, program, port);
    if (end === null) return { port, program, json_path };
    last = end.stopped ? cutShort(context) : none('transport_error', failureOf(end));
    if (!/Couldn't listen to port|Address already in use/i.test(`${end.stderr}\n${end.stdout}`)) return last;
  }
  return last;
}

/** Null once it listens; how it ended if it does not. The deadline of the slot ends it. */
async function untilListening(context: SlotContext, program: RunningProgram, port: number): Promise<ProgramEnd | null> {
  const over = new AbortController();
  const ended = program.ended.then((end) => {
    over.abort();
    return end;
  });
  while (!over.signal.aborted) {
    if (program.pid !== null && isListening(program.pid, port)) return null;
    await context.clock.sleepUntil(context.clock.now_ms() + LOOK_MS, over.signal);
  }
  return await ended;
}

/** The client has ended, or nothing is heard of it any more. */
async function closeServer(
  context: SlotContext,
  phase: Phase,
  { program, json_path }: Server,
  theirs: readonly (number | null)[] | null,
  place: number,
): Promise<Figure> {
  if (theirs === null) {
    const end = await program.stop();
    return end.stopped ? cutShort(context) : readFigure(phase, end, json_path);
  }
  const isFailed = (theirs[place] ?? null) === null;
  const follow = new AbortController();
  void program.ended.then(() => follow.abort());
  await context.clock.sleepUntil(context.clock.now_ms() + (isFailed ? FAIL_MS : FOLLOW_MS), follow.signal);
  const end = follow.signal.aborted ? await program.ended : await program.stop();
  // A server that failed by itself says more than one that was ended because its client has failed.
  if (!end.stopped) return readFigure(phase, end, json_path);
  return isFailed ? none('transport_error', 'the other end has no figure') : cutShort(context);
}

const LISTEN = '0A';

/**
 * Whether the program that runs under `pid`, or one that it started, listens on TCP `port`. perftest says nothing that could
 * be trusted here: it announces that it waits before it has bound its socket, and into a pipe only when it ends. A listener of
 * another program on the same port does not count.
 */
export function isListening(pid: number, port: number): boolean {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeners(`/proc/${pid}/net/${table}`, port)));
  return sockets.size > 0 && familyOf(pid).some((member) => socketsOf(member).some((inode) => sockets.has(inode)));
}

/** Inodes of the sockets that listen on the port; columns by proc(5): number, local address, remote, state, ..., inode at 9. */
function listeners(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = lines(table).map((line) => line.trim().split(/\s+/));
  return rows.filter((row) => row[1]?.endsWith(suffix) && row[3] === LISTEN).map((row) => row[9] ?? '');
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return listed(folder).flatMap((name) => /^socket:\[(\d+)\]$/.exec(linkOf(`${folder}/${name}`))?.[1] ?? []);
}

// Processes end and descriptors close while they are read: what is gone is empty.
const lines = (path: string): string[] => orElse(() => readFileSync(path, 'utf8').split('\n'), []);
const listed = (path: string): string[] => orElse(() => readdirSync(path), []);
const linkOf = (path: string): string => orElse(() => readlinkSync(path), '');

function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
