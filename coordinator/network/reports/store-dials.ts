import type { NetworkReport } from '../../contract/network-protocol.ts';
import { makeDueWhenDialled, readRun, shareRun } from '../queries/runs.ts';
import { lockDials, updateDials, type StoredDial } from '../queries/seats.ts';
import type { Refused, Reporter } from '../report-links.ts';
import { parseDialId } from '../slot-key.ts';

type DialReport = Extract<NetworkReport, { kind: 'dial' }>;

/** What a node's dials brought, kept with its seat until the preflight is judged; what comes later is of no use any more. */
export async function storeDials(
  { context, key, node }: Reporter,
  reports: readonly DialReport[],
): Promise<{ refused: Refused; news: boolean }> {
  const refused: Refused = new Map();
  if (reports.length === 0) return { refused, news: false };
  const run = await readRun(context.sql, key);
  const dialled: StoredDial[] = [];
  for (const { id, status, address, connect_us, code } of reports) {
    const dial = parseDialId(id);
    if (dial?.from !== node || dial.to === node || dial.to >= (run?.nodes_joined ?? 0))
      refused.set(id, 'no dial of this node has that id');
    else if (dial.turn === (run?.plan?.turn ?? 1)) dialled.push({ node: dial.to, status, address, connect_us, code });
  }
  if (run?.state !== 'preflight' || dialled.length === 0) return { refused, news: false };
  const isStored = await context.sql.begin(async (tx) => {
    // Whoever judges the preflight holds the run: what every process computes from the dials stands from then on.
    if (!(await shareRun(tx, key, run))) return false;
    const known = new Map((await lockDials(tx, key, node)).map((dial) => [dial.node, dial]));
    for (const dial of dialled) if (known.get(dial.node)?.status !== 'ok') known.set(dial.node, dial);
    await updateDials(tx, key, node, [...known.values()]);
    return true;
  });
  if (!isStored) return { refused, news: false };
  // After the commit, so that of two nodes that end at the same time the later one sees both.
  const news = await makeDueWhenDialled(context.sql, key, run.sequence);
  return { refused, news };
}
