import { randomBytes, randomUUID } from 'node:crypto';
import type { LinkRow } from '../../../../coordinator/network/queries/links.ts';
import type { RunNode } from '../../../../coordinator/network/results/run-input.ts';
import type { RunSummary } from '../../../../coordinator/network/results/summarise-run.ts';
import type { TestApp } from '../../../support/app.ts';
import { insertLinks, insertRun, insertSeats } from './stored-run-queries.ts';

interface Stored {
  jobId: string;
  customerId: string;
  item: number;
  nodes: readonly RunNode[];
  links: readonly LinkRow[];
  /** null: the run has not ended */
  summary: RunSummary | null;
}

/** Writes a run with its seats and links as the coordinator does; the tasks of its nodes are made where they are not there. */
export async function storeRun({ platform }: TestApp, run: Stored): Promise<void> {
  const { sql } = platform;
  const now = new Date(Date.UTC(2026, 10, 21, 12, 0, 0));
  await insertRun(sql, { ...run, now, secret: run.summary === null ? randomBytes(32) : null });
  await insertSeats(
    sql,
    run.nodes.map((node) => ({ ...run, ...node, sessionId: randomUUID(), newId: platform.newId(), now })),
  );
  await insertLinks(sql, run, run.links);
}
