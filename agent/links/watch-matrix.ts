import type { NetworkMatrix } from '../../coordinator/contract/network-protocol.ts';
import type { RunContext } from '../run/run-context.ts';
import type { NetworkClient } from './network-client.ts';

/**
 * Asks for what is new of all links about once a second and says it, until `over` aborts; then once more. What goes wrong
 * costs a picture, never a measurement.
 */
export async function watchMatrix(
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

export type MatrixCell = NetworkMatrix['cells'][number];
