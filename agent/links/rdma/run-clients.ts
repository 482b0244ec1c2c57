import { cutShort, confirmFigures } from './confirm-figures.ts';
import { perftestRequest } from './perftest-request.ts';
import { none, readFigure, valueOf } from './read-figure.ts';
import type { Figure } from './read-figure.ts';
import type { Rail, SlotContext } from './slot-context.ts';
import type { Phase } from './talk.ts';

/**
 * The sending end of one phase: starts a perftest client for each rail, all at once, when `start` resolves. A rail
 * without a server has no figure.
 * @param untilMs when to stop the clients, on the coordinator's clock; the slot's deadline stops them in any case
 */
export async function runClients(
  context: SlotContext,
  phase: Phase,
  start: Promise<unknown>,
  untilMs: number,
): Promise<Figure[]> {
  const { talk, clock, rails } = context;
  const ready = await talk.hear('ready', phase);
  await start;
  if (ready === null) return rails.map(() => cutShort(context));
  talk.say({ say: 'started', phase, at_ms: clock.now_ms() });
  const figures = await Promise.all(
    rails.map((rail, place) => runClient(context, phase, rail, ready.ports[place] ?? null, untilMs)),
  );
  talk.say({ say: 'figures', phase, figures: figures.map(valueOf) });
  const theirs = await talk.hear('figures', phase);
  return confirmFigures(context, figures, theirs?.figures ?? null);
}

async function runClient(
  context: SlotContext,
  phase: Phase,
  rail: Rail,
  port: number | null,
  untilMs: number,
): Promise<Figure> {
  if (port === null) return none('transport_error', 'no server at the other end');
  if (context.peer_address === null) return none('transport_error', 'no address of the other end');
  const { request, json_path } = perftestRequest(context, phase, rail, port, context.peer_address);
  const program = context.pool.start(request);
  if (program === null) return none('timeout', 'no time to start');
  const over = new AbortController();
  void program.ended.then(() => over.abort());
  await context.clock.sleepUntil(untilMs, over.signal);
  const end = over.signal.aborted ? await program.ended : await program.stop();
  return end.stopped ? cutShort(context) : readFigure(phase, end, json_path);
}
