import type { RunContext } from '../run/run-context.ts';
import { RunnerError } from '../kernels/runner-error.ts';
import { AnswerError } from '../client/call-errors.ts';
import type { CoordinatorClient } from '../client/coordinator-client.ts';
import type { NetworkSummary } from '../run/run-summary.ts';
import { endOfNetwork } from './end-of-network.ts';
import { configOf, findCapabilities, type LinkMachine } from './find-capabilities.ts';
import { followRun, type ConversationEnd } from './follow-run.ts';
import { joinNetwork } from './join-network.ts';
import { CoordinatorClock } from './link-clock.ts';
import { LinkCommands } from './link-commands.ts';
import type { LinkReady } from './link-events.ts';
import { NetworkClient, type NetworkCaller } from './network-client.ts';
import { ReportOutbox } from './report-outbox.ts';
import { emitProgress } from './emit-progress.ts';

/** Time for the process to start and print its first line; a second on a loaded machine. */
const READY_MS = 10_000;

/**
 * This node's part of one cluster_network: one `gpumark-runner link` process for all of it. Never throws for
 * failures of the network or the coordinator, so that the job's other benchmarks still run.
 */
export async function runClusterNetwork(
  context: RunContext,
  client: CoordinatorClient,
  machine: LinkMachine,
  caller: NetworkCaller,
  config: unknown,
  onProgress: (share: number) => void,
): Promise<void> {
  const { emit, record, stop } = context;
  const message = 'cluster_network: measuring the links between the nodes of this job';
  emit({ type: 'step', step: 'measure', state: 'started', message });
  const summary: NetworkSummary = {
    item: caller.item,
    node: null,
    outcome: 'skipped',
    message: null,
    nodes_joined: 0,
    nodes_lost: 0,
    reports_undelivered: 0,
  };
  const end = await takePart(context, client, machine, caller, config, summary, onProgress);
  stop.children.clear();
  endOfNetwork(context, summary, end);
  record.network.push(summary);
}

async function takePart(
  context: RunContext,
  coordinator: CoordinatorClient,
  machine: LinkMachine,
  caller: NetworkCaller,
  config: unknown,
  summary: NetworkSummary,
  onProgress: (share: number) => void,
): Promise<ConversationEnd | { kind: 'failed'; error: unknown }> {
  const { emit, host, limits, options, stop } = context;
  const client = new NetworkClient(coordinator, caller, limits, { ...host, signal: stop.signal });
  const clock = new CoordinatorClock(host.clock);
  const spawned = host.clock.monotonic();
  const commands = new LinkCommands(
    { path: machine.runner_path, allow_public: options.net.allow_public, on_start: (pid) => stop.children.add(pid) },
    clock,
    (words) => emit({ type: 'notice', level: 'warning', message: `gpumark-runner link: ${words}`, remedy: null }),
  );
  const watched = new AbortController();
  try {
    const ready = await firstWords(context, commands, spawned);
    const { files } = machine;
    const asked = configOf(config);
    const capabilities = await findCapabilities(context, machine, asked, clock);
    const ports = options.net.port_range ?? asked.port_range ?? '0';
    const joined = await joinNetwork(context, client, commands, clock, { files, ready, ports, capabilities });
    summary.node = joined.node;
    const outbox = openOutbox(context, client, caller);
    const watching = options.net.matrix ? watchMatrix(context, client, caller.item, watched.signal) : Promise.resolve();
    const tell = emitProgress(emit, clock, summary, onProgress);
    const { measureRdma, openCollective } = capabilities;
    const end = await followRun(context, joined, { commands, clock, measureRdma, openCollective }, outbox, tell);
    summary.reports_undelivered = await outbox.close(
      stop.by === null ? limits.network_farewell_ms : limits.farewell_ms,
    );
    watched.abort();
    await watching;
    return end;
  } catch (error) {
    if (error instanceof RunnerError) return { kind: 'runner-died', error };
    return error instanceof AnswerError ? { kind: 'refused', error } : { kind: 'failed', error };
  } finally {
    watched.abort();
    await commands.close();
  }
}

/**
 * `spawned`: a time just before the process was started. @throws RunnerError if it dies, stays silent, or uses a clock
 * other than this program's
 */
async function firstWords({ host, stop }: RunContext, commands: LinkCommands, spawned: number): Promise<LinkReady> {
  const { clock } = host;
  const heard = new AbortController();
  const limit = clock.sleep(READY_MS, AbortSignal.any([heard.signal, stop.signal])).then(() => null);
  const ready = await Promise.race([commands.ready(), limit]);
  heard.abort();
  if (stop.by !== null) throw stop.toError();
  if (ready === null) {
    const died = await Promise.race([commands.ended, clock.sleep(0).then(() => null)]);
    throw died ?? strange('said nothing');
  }
  const apart = ready.monotonic_ms - clock.monotonic();
  if (apart > 1 || ready.monotonic_ms < spawned - 1) throw strange('uses a different clock than this program');
  return ready;
}

const strange = (what: string): RunnerError =>
  new RunnerError('crashed', `gpumark-runner link ${what}`, 'Use the runner that was built together with this agent.');

function openOutbox({ emit, host }: RunContext, client: NetworkClient, caller: NetworkCaller): ReportOutbox {
  const say = (message: string): void => emit({ type: 'notice', level: 'warning', message, remedy: null });
  let refused = 0;
  return new ReportOutbox({
    send: (reports) => client.report(reports),
    clock: host.clock,
    random: host.random,
    onRefused: (report, reason) => {
      refused += 1;
      // Printed once only: a run may have thousands of reports.
      if (refused === 1) say(`the coordinator does not accept the report of ${report.id}: ${reason}`);
    },
    onClosed: (error) =>
      say(`the coordinator accepts no more reports of task ${caller.task_id}: ${error.message} (${error.code})`),
  });
}

/**
 * Fetches the changed links about once a second and emits them, until `over` aborts; then once more. A failure affects
 * only the display, never the measurement.
 */
async function watchMatrix(
  { emit, host, limits }: Pick<RunContext, 'emit' | 'host' | 'limits'>,
  client: NetworkClient,
  item: number,
  over: AbortSignal,
): Promise<void> {
  let since = 0;
  let names = '';
  const ask = async (): Promise<void> => {
    const news = await client.matrix(since).catch(() => null);
    if (news === null) return;
    since = Math.max(since, news.version);
    const seen = JSON.stringify(news.nodes);
    if (news.cells.length === 0 && seen === names) return;
    names = seen;
    emit({ type: 'links', item, nodes: news.nodes, cells: news.cells });
  };
  while (!over.aborted) {
    await ask();
    await host.clock.sleep(limits.network_matrix_ms * (0.75 + 0.5 * host.random.fraction()), over);
  }
  await ask();
}
