import { lookup } from 'node:dns/promises';
import { exposedHost } from '../../coordinator/contract/address-networks.ts';
import type { Clock } from '../run/host.ts';
import type { EventOf } from '../run/run-event.ts';

/** A hanging resolver must not delay a run for a warning. */
const RESOLVE_MS = 2_000;

/**
 * Warns if the job token would be sent unencrypted beyond loopback and private networks, including to the address in
 * the token.
 */
export async function warnOfPlainHttp(
  clock: Clock,
  coordinator: string,
  tell: (notice: EventOf<'notice'>) => void,
): Promise<void> {
  const host = await exposedHost(coordinator, (name) =>
    Promise.race([addressesOf(name), clock.sleep(RESOLVE_MS).then((): string[] => [])]),
  );
  if (host === null) return;
  tell({
    type: 'notice',
    level: 'warning',
    message: `${coordinator} is plain http beyond private networks: anyone on the network path can read the job token and change the results`,
    remedy: 'Give the coordinator an https:// address (containers/README.md of gpumark shows how).',
  });
}

const addressesOf = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);
