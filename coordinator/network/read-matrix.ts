import type { z } from 'zod';
import type { NetworkMatrix, networkMatrixRequest } from '../contract/network-protocol.ts';
import type { Context } from '../platform/context.ts';
import type { Secret } from '../lifecycle/session.ts';
import { callerSeat } from './caller-seat.ts';
import { selectMatrix } from './queries/matrix.ts';
import { selectSeats } from './queries/seats.ts';
import { nodeName } from './results/network-nodes.ts';
import type { RunWatch } from './watch/run-watch.ts';

/** Cells in one answer; a reader of a large run asks again with the version it was given. */
const MOST_CELLS = 4096;

/** The links whose status has become known after `since`, a few of them again; every node of the run may look. */
export async function readMatrix(
  context: Context,
  input: z.output<typeof networkMatrixRequest> & Secret,
  watch: RunWatch,
): Promise<NetworkMatrix> {
  const { key, node } = await callerSeat(context, input);
  watch.heard(key, node);
  const [{ version, cells }, seats] = await Promise.all([
    selectMatrix(context.sql, key, { since: input.since, limit: MOST_CELLS }),
    selectSeats(context.sql, key),
  ]);
  return {
    version,
    nodes: seats.map((seat) => ({ node: seat.node, name: nodeName(seat), state: seat.state })),
    cells,
  };
}
