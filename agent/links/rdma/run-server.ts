import { cutShort, confirmFigures } from './confirm-figures.ts';
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
/** How long a server may run after its client has ended. */
const FOLLOW_MS = 1000;
/** On a busy machine a client's failure may be reported before the end of the server that caused it. */
const FAIL_MS = 250;

/**
 * The receiving end of one phase: runs a perftest server for each rail. Sends the other end the ports once the servers
 * listen; the other end sends its figures when its clients have ended.
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
  return confirmFigures(context, figures, theirs?.figures ?? null);
}

/** If another program uses the port, perftest ends at once, and another port is tried. */
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

/** Resolves with null once it listens, or with its end if it exits first. The slot's deadline ends it. */
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

/** Ends a server after its client has ended or the other end has gone silent. */
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
  // A server's own failure says more than the failure of its client.
  if (!end.stopped) return readFigure(phase, end, json_path);
  return isFailed ? none('transport_error', 'the other end has no figure') : cutShort(context);
}

const LISTEN = '0A';

/**
 * Whether the process `pid`, or one of its descendants, listens on TCP `port`. perftest's own output does not help: it
 * announces that it is waiting before it has bound its socket, and buffers that until it ends if stdout is a pipe. A
 * listener of another
 * program on the same port does not count.
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

// Processes may end and descriptors close while they are read: missing files read as empty.
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
