import type { NetworkReport } from '../../contract/network-protocol.ts';
import { lockRun, updateRun } from '../queries/runs.ts';
import type { Refused, Reporter } from '../report-links.ts';
import type { RunRow, StoredCollective } from '../run-row.ts';

type CollectiveReport = Extract<NetworkReport, { kind: 'unique_id' | 'collective' }>;

/**
 * Stores the library's id from the first node, which completes the plan for the others; later the results. The first
 * node has the figures; the phase is over when it has reported them, a node has failed, or every node has reported.
 */
export async function storeCollective(
  { context, key, node }: Reporter,
  reports: readonly CollectiveReport[],
): Promise<{ refused: Refused; news: boolean }> {
  const refused: Refused = new Map();
  if (reports.length === 0) return { refused, news: false };
  const news = await context.sql.begin(async (tx) => {
    const run = await lockRun(tx, key);
    const before = run?.collective ?? null;
    let collective = before;
    for (const report of reports) {
      const seat = before?.id === report.id ? before.seats.find((one) => one.node === node) : undefined;
      if (collective === null || !seat) refused.set(report.id, 'no collective of this node has that id');
      else if (report.kind === 'collective') collective = ended(collective, node, report, seat.first_rank === 0);
      else if (seat.first_rank !== 0) refused.set(report.id, 'another node makes the id');
      else collective = { ...collective, unique_id: collective.unique_id ?? report.unique_id };
    }
    if (!run || collective === null || collective === before || run.state !== 'collective') return false;
    const isWhole = before?.unique_id === null && collective.unique_id !== null;
    await updateRun(tx, key, {
      collective,
      ...(isWhole && { sequence: run.sequence + 1 }),
      ...(isOver(run, collective) && { due_ms: run.now_ms }),
    });
    return true;
  });
  return { refused, news };
}

function ended(
  collective: StoredCollective,
  node: number,
  { result, message }: Extract<CollectiveReport, { kind: 'collective' }>,
  isFirst: boolean,
): StoredCollective {
  if (collective.reported.includes(node)) return collective;
  return {
    ...collective,
    // the first node reports the figures, even if another reports before it
    result: collective.result ?? (isFirst ? result : null),
    message: collective.message ?? message,
    reported: [...collective.reported, node],
  };
}

/** Over once there are figures, or once any node has failed: a communicator that one rank has left never completes. */
const isOver = (run: RunRow, { result, message, reported }: StoredCollective): boolean =>
  result !== null || message !== null || reported.length >= run.nodes_joined - run.nodes_lost;
