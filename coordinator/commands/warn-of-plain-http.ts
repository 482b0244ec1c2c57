import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { exposedHost, isNear } from '../contract/address-networks.ts';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/log.ts';

/** A resolver that hangs must not delay startup for a warning. */
const RESOLVE_MS = 2000;

const remedy =
  'Put a proxy with TLS in front (containers/proxy), set PUBLIC_URL to its https:// address and TRUSTED_PROXIES to 1.';

/**
 * Warns at startup if passwords and tokens would travel in the clear beyond loopback and private networks, judging by
 * PUBLIC_URL or, if it is not set, by the address that is listened on.
 */
export async function warnOfPlainHttp(
  { host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (publicUrl === null) {
    if (!(await listensNear(host)))
      log.warn({ host, remedy }, 'HOST takes plain http from everywhere, with no https PUBLIC_URL');
  } else if ((await exposedHost(publicUrl, addressesOf)) !== null) {
    log.warn({ public_url: publicUrl, remedy }, 'PUBLIC_URL is plain http on a public host');
  }
}

/** Every interface (0.0.0.0, ::) does not count as near: the process cannot see which networks reach this machine. */
async function listensNear(host: string): Promise<boolean> {
  if (host === 'localhost') return true;
  const addresses = isIP(host) > 0 ? [host] : await addressesOf(host).catch(() => []);
  return addresses.length > 0 && addresses.every(isNear);
}

const addressesOf = (name: string): Promise<string[]> =>
  Promise.race([
    lookup(name, { all: true }).then((found) => found.map(({ address }) => address)),
    wait(RESOLVE_MS, [], { ref: false }),
  ]);
