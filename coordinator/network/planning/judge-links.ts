import { selectLinks, type LinkRow } from '../queries/links.ts';
import { mergeReports } from '../results/merge-reports.ts';
import { networkNodes } from '../results/network-nodes.ts';
import type { RunInput } from '../results/run-input.ts';
import type { RunRow, SeatRow } from '../run-row.ts';
import { judgeRun } from '../verdict/judge-run.ts';
import type { JudgedAttempt, JudgedLink, RunJudgement } from '../verdict/run-verdict.ts';
import type { Step } from './step.ts';

export interface Judged {
  rows: LinkRow[];
  /** null if the rounds have not started */
  judgement: RunJudgement | null;
  /** the input of the summary, without the judgement */
  input: RunInput;
}

/** Judges nodes and links from all reports so far. */
export async function judgeLinks(step: Step): Promise<Judged> {
  const { tx, key, run, seats, planner } = step;
  const rows = await selectLinks(tx, key);
  const reach = run.graph === null ? null : (await planner.layouts.of(tx, run)).reach;
  const input = runInput(step, rows, reach);
  const transport = run.transport;
  if (transport === null) return { rows, judgement: null, input };
  const first = rows
    .filter((row) => row.attempt === 1 && row.phase !== 'ring' && row.status !== null)
    .map((row) => ({ row, merged: mergeReports(row) }));
  const nodes = networkNodes(input, first);
  const judgement = judgeRun({
    nodes: seats.map(({ node }) => ({
      node,
      speed_gbps: nodes[node]?.speed_gbps ?? null,
      state: nodes[node]?.state ?? 'measured',
    })),
    links: judgedLinks(rows),
    transport,
  });
  return { rows, judgement, input };
}

function judgedLinks(rows: readonly LinkRow[]): JudgedLink[] {
  const driven = rows.filter((row) => row.phase !== 'ring');
  return [...Map.groupBy(driven, ({ link }) => link).values()].flatMap((attempts) => {
    const [first] = attempts;
    if (!first) return [];
    const { link, source, target } = first;
    const round = attempts.find(({ attempt }) => attempt === 1)?.round ?? null;
    return { link, source, target, round, attempts: attempts.flatMap(judgedAttempt) };
  });
}

function judgedAttempt(row: LinkRow): JudgedAttempt[] {
  if (row.status === null) return [];
  const { status, forward_gbps, reverse_gbps, rtt_us, min_rtt_us, retransmits, segments, sent } = mergeReports(row);
  return [
    { attempt: row.attempt, status, forward_gbps, reverse_gbps, rtt_us, min_rtt_us, retransmits, segments, sent },
  ];
}

function runInput({ run, seats }: Step, links: LinkRow[], reach: RunInput['reach']): RunInput {
  const time = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
  return {
    run: {
      graph: {
        kind: run.graph?.kind ?? 'full',
        degree: run.graph?.degree ?? null,
        rounds: run.graph?.rounds ?? 0,
        seed: run.seed,
      },
      links_planned: plannedLinks(run, links),
      transport: run.transport ?? 'tcp',
      transport_note: run.transport_note,
      nodes_expected: run.nodes_expected,
      slot_seconds: run.graph?.slot_seconds ?? run.config?.slot_seconds ?? 0,
      started_at: new Date(run.started_ms ?? run.created_ms),
      ended_at: new Date(run.now_ms),
      rounds_started_at: time(run.rounds_started_ms),
      // the planned end: a run may end earlier
      rounds_ended_at: time(run.rounds_ended_ms === null ? null : Math.min(run.rounds_ended_ms, run.now_ms)),
      notes: notesOf(run, seats, links),
    },
    nodes: seats.map(({ node, task_id, machine_uuid, hostname, state, endpoints }) => ({
      node,
      task_id,
      machine_uuid,
      hostname,
      state,
      endpoints,
    })),
    links,
    judgement: null,
    reach,
    collective: run.collective?.result ?? null,
  };
}

/** Number of links in the graph plus those given up by the preflight; null before there is a graph. */
function plannedLinks({ graph }: RunRow, links: readonly LinkRow[]): number | null {
  if (graph === null) return null;
  const givenUp = links.filter(({ phase }) => phase === 'preflight').length;
  return graph.kind === 'full' ? Math.max(graph.links, rowsOf(links)) : graph.links + givenUp;
}

const rowsOf = (links: readonly LinkRow[]): number =>
  links.filter(({ phase, attempt }) => attempt === 1 && phase !== 'ring').length;

function notesOf(run: RunRow, seats: readonly SeatRow[], links: readonly LinkRow[]): string[] {
  const notes = [run.graph?.note ?? null, run.collective?.message ?? null];
  if (run.graph !== null && run.next_round < run.graph.rounds)
    notes.push(
      `The ${isTimeOver(run) ? 'time ran out' : 'run ended'} when ${run.next_round} of ${run.graph.rounds} rounds were planned; links of the others are unmeasured.`,
    );
  const cutShort = links.filter(({ repeated, status }) => repeated && status === null).length;
  if (cutShort > 0)
    notes.push(
      `The run ended before ${cutShort} ${cutShort === 1 ? 'link was' : 'links were'} measured again after an end had missed their first slots.`,
    );
  const silent = seats.filter(({ endpoints }) => endpoints.length === 0).length;
  if (silent > 0) notes.push(`${silent} ${silent === 1 ? 'node offers' : 'nodes offer'} no address to listen on.`);
  return notes.filter((note) => note !== null);
}

/** Whether no further slot would have fitted into the configured time. */
const isTimeOver = ({ deadline_ms, rounds_ended_ms, now_ms, graph }: RunRow): boolean =>
  (deadline_ms ?? Infinity) - (rounds_ended_ms ?? now_ms) < (graph?.slot_seconds ?? 0) * 1000;
