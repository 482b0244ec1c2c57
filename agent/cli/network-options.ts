import { portRange } from '../../coordinator/contract/network-config.ts';
import { ExitError } from './exit-error.ts';
import type { Host } from './host.ts';
import type { ParsedFlags } from './options.ts';

/** How this node takes part in cluster_network; flag before environment. */
export interface NetworkOptions {
  /** `a-b`; null: what the job says, else any free port. */
  port_range: string | null;
  /** Null: chosen by agent/links/choose-endpoints.ts. */
  interfaces: string[] | null;
  allow_public: boolean;
  /** Asks for all links of the job about once a second, and shows them. */
  matrix: boolean;
}

const YES = new Set(['1', 'true', 'yes']);

/** @throws ExitError usage for a bad range, and for an interface that this machine does not have */
export function networkOptions(host: Host, flags: ParsedFlags): NetworkOptions {
  return {
    port_range: checkedRange(filled(flags.netPortRange) ?? filled(host.env['GPUMARK_NET_PORT_RANGE'])),
    interfaces: checkedNames(host, filled(flags.netInterface) ?? filled(host.env['GPUMARK_NET_INTERFACE'])),
    allow_public: flags.netPublic === true || YES.has(host.env['GPUMARK_NET_PUBLIC']?.toLowerCase() ?? ''),
    matrix: flags.netMatrix === true,
  };
}

function checkedRange(given: string | null): string | null {
  if (given === null) return null;
  const range = portRange.safeParse(given);
  if (range.success) return range.data;
  throw new ExitError('usage', `--net-port-range: '${given}' ${range.error.issues[0]?.message ?? 'is no range'}`);
}

/** Said before anything is measured: dialling from another interface than the named ones would measure the wrong cable. */
function checkedNames(host: Host, given: string | null): string[] | null {
  if (given === null) return null;
  const names = given.split(',').map((name) => name.trim());
  const known = Object.keys(host.networkInterfaces());
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return names;
  throw new ExitError(
    'usage',
    `--net-interface: this machine has no interface '${wrong}' with an address`,
    `It has ${known.join(', ')}.`,
  );
}

const filled = (text: string | undefined): string | null =>
  text === undefined || text.trim() === '' ? null : text.trim();
