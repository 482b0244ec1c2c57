import { connect } from 'node:net';
import type { Lifetime } from '../support/lifetime.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { startCoordinator, type CoordinatorProcess, type Place } from './coordinator-process.ts';

export interface ReplaceableCoordinator {
  /** Stays the same: a proxy's, so that no other program can take the port between two processes. */
  baseUrl: string;
  /** the one that runs now */
  current: () => CoordinatorProcess;
  /** After it was killed or stopped: another in its place, by the code of `tree` if that is given. */
  replace: (tree?: string) => Promise<void>;
}

/** A coordinator process on 127.0.0.1 whose clients keep its address when another takes its place; stopped at the end. */
export async function startReplaceable(
  lifetime: Lifetime,
  place: Omit<Place, 'port' | 'host'>,
): Promise<ReplaceableCoordinator> {
  let port = 0;
  const proxy = await startTcpProxy(() => connect(port, '127.0.0.1'));
  const baseUrl = `http://127.0.0.1:${proxy.port}`;
  const start = async (tree = place.root): Promise<CoordinatorProcess> => {
    const environment = { PUBLIC_URL: baseUrl, ...place.environment };
    const started = await startCoordinator({ ...place, root: tree, environment });
    port = Number(new URL(started.baseUrl).port);
    return started;
  };
  let latest = start();
  lifetime.after(async () => {
    // Several start at once: where one does not, the test is over while its neighbours are still to come.
    await latest.then(
      (started) => started.stop(),
      () => undefined,
    );
    await proxy.close();
  });
  let running = await latest;
  return {
    baseUrl,
    current: () => running,
    replace: async (tree) => {
      latest = start(tree);
      running = await latest;
    },
  };
}
