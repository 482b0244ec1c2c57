import { BlockList, isIP } from 'node:net';
import { ExitError } from '../run/exit-error.ts';
import type { Proxies } from '../run/run-options.ts';

export const noProxies: Proxies = { https: null, http: null, except: '' };

/** A proxy cannot reach this machine's own loopback. */
const LOOPBACK = 'localhost,127.0.0.1,::1';

/**
 * HTTPS_PROXY, HTTP_PROXY and NO_PROXY; as for curl a lower-case name comes before the same in capitals. As undici does,
 * https: without a proxy of its own uses that of http:.
 * @throws ExitError usage for a value that is not a proxy's address
 */
export function proxiesOf(env: Readonly<Record<string, string | undefined>>): Proxies {
  const given = (name: string): [string, string] => {
    const lower = env[name.toLowerCase()];
    return lower === undefined ? [name, env[name] ?? ''] : [name.toLowerCase(), lower];
  };
  const http = proxyUrl(...given('HTTP_PROXY'));
  return { http, https: proxyUrl(...given('HTTPS_PROXY')) ?? http, except: given('NO_PROXY')[1] };
}

function proxyUrl(variable: string, given: string): string | null {
  const text = given.trim();
  if (text === '') return null;
  const whole = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '') return url.href;
  throw new ExitError(
    'usage',
    `${variable} must be the address of an HTTP proxy such as http://proxy.example:3128, not '${withoutLogin(whole)}'`,
    'Correct it, unset it, or reach the coordinator directly with --no-proxy.',
  );
}

/** A proxy's address for people, without the name and password that it may hold. */
export function withoutLogin(proxy: string): string {
  return proxy.replace(/\/\/.*@/, '//').replace(/\/$/, '');
}

/** NO_PROXY for calls to `base_url`, in the forms that undici knows: it has none for networks such as 10.0.0.0/8. */
export function exceptionsFor(base_url: string, { except }: Proxies): string {
  const host = new URL(base_url).hostname.replace(/^\[(.*)\]$/, '$1');
  const isListed = except.split(/[\s,]+/).some((entry) => holds(entry, host));
  return [except, LOOPBACK, ...(isListed ? [host] : [])].join(',');
}

/** Whether `entry` is a network, ADDRESS/BITS, with this address in it. */
function holds(entry: string, address: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const family = isIP(network);
  if (family === 0 || isIP(address) !== family || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const type = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(network, Number(bits), type);
  return list.check(address, type);
}
