import type { EngineChoice } from '../../coordinator/contract/matrix-engine.ts';
import { portRange } from '../../coordinator/contract/network-config.ts';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { ALLOW_NETLINK, listInterfaces } from '../run/interfaces.ts';
import type { NetworkOptions, OutputMode, OUTPUTS, Proxies, RunOptions, Tier } from '../run/run-options.ts';
import { noProxies, proxiesOf } from '../client/proxies.ts';
import { canRedraw } from '../ui/choose-renderer.ts';
import { readCertificates } from './certificates.ts';
import { readOptionFile, readTokenFile } from './option-file.ts';
import { readThresholds } from './thresholds.ts';

/** Result of commander's parsing; names as it spells them. */
export interface ParsedFlags {
  apiKey?: string;
  apiKeyFile?: string;
  coordinator?: string;
  ca?: string;
  /** false: --no-proxy */
  proxy?: boolean;
  device: string;
  tier: Tier;
  engine?: EngineChoice;
  setup?: boolean;
  offline?: boolean;
  dryRun?: boolean;
  list?: boolean;
  json?: boolean;
  verbose?: boolean;
  output?: (typeof OUTPUTS)[number];
  location?: string;
  machineId?: string;
  machineIdFile?: string;
  baseline?: string;
  require?: string;
  maxSeconds?: string;
  netPortRange?: string;
  netInterface?: string;
  netPublic?: boolean;
  netMatrix?: boolean;
}

/** @throws ExitError usage if options contradict each other or a named file cannot be read */
export function runOptions(host: Host, flags: ParsedFlags, positional: string | undefined): RunOptions {
  const token = tokenFrom(host, flags, positional);
  if (flags.offline === true && token === null) {
    throw new ExitError(
      'usage',
      '--offline needs a job token: it says which job the result belongs to',
      'Set GPUMARK_API_KEY to it, or leave --offline out for a quick test that is not saved.',
    );
  }
  return {
    token,
    coordinator: givenCoordinator(host, flags),
    ca: readCertificates(host, flags),
    proxies: givenProxies(host, flags),
    device: flags.device,
    tier: flags.tier,
    engine: flags.engine ?? 'auto',
    setup: flags.setup === true,
    offline: flags.offline === true,
    dry_run: flags.dryRun === true,
    output: outputMode(host, flags),
    verbose: flags.verbose === true,
    location: filled(flags.location) ?? filled(host.env['GPUMARK_LOCATION']),
    machine_id:
      filled(flags.machineId) ?? machineIdOfFile(flags.machineIdFile) ?? filled(host.env['GPUMARK_MACHINE_ID']),
    baseline: filled(flags.baseline),
    thresholds: flags.require === undefined ? [] : readThresholds(flags.require),
    max_seconds: maxSeconds(flags),
    net: networkOptions(host, flags),
  };
}

function maxSeconds({ maxSeconds: given, tier }: ParsedFlags): number | null {
  if (given === undefined) return null;
  if (tier === 'soak') {
    throw new ExitError('usage', '--max-seconds: a soak cannot be shortened', 'Leave it out, or use --tier standard.');
  }
  const seconds = Number(given);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new ExitError('usage', `--max-seconds: '${given}' is not a number of seconds above 0`);
}

/** From the flag or the environment; null if both are absent or blank. */
export const givenCoordinator = (host: Host, flags: Pick<ParsedFlags, 'coordinator'>): string | null =>
  filled(flags.coordinator) ?? filled(host.env['GPUMARK_COORDINATOR']);

/** Those of the environment, unless --no-proxy. @throws ExitError usage for a wrong value */
export const givenProxies = (host: Host, { proxy }: Pick<ParsedFlags, 'proxy'>): Proxies =>
  proxy === false ? noProxies : proxiesOf(host.env);

function tokenFrom(host: Host, flags: ParsedFlags, positional: string | undefined): string | null {
  return (
    filled(flags.apiKey) ??
    filled(positional) ??
    (flags.apiKeyFile === undefined ? null : readTokenFile(host, flags.apiKeyFile)) ??
    filled(host.env['GPUMARK_API_KEY'])
  );
}

const machineIdOfFile = (path: string | undefined): string | null =>
  path === undefined ? null : readOptionFile({ path, option: '--machine-id-file' });

function outputMode(host: Host, { json, output }: ParsedFlags): OutputMode {
  if (json === true && output !== undefined && output !== 'json')
    throw new ExitError('usage', `--json is short for --output json, and --output ${output} was given`);
  if (output === 'live' && !canRedraw(host))
    throw new ExitError(
      'usage',
      '--output live needs a terminal on stderr that can move its cursor',
      'Leave out --output, or use --output plain.',
    );
  return json === true ? 'json' : (output ?? 'auto');
}

function filled(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text.trim();
}

const YES = new Set(['1', 'true', 'yes']);

/** @throws ExitError usage for a bad range, and for an interface that this machine does not have */
function networkOptions(host: Host, flags: ParsedFlags): NetworkOptions {
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
  throw new ExitError('usage', `--net-port-range: '${given}' ${range.error.issues[0]?.message ?? 'is not a range'}`);
}

/**
 * Checked before anything is measured: dialling from an interface other than the named ones would measure the wrong
 * cable.
 */
function checkedNames(host: Host, given: string | null): string[] | null {
  if (given === null) return null;
  const names = given.split(',').map((name) => name.trim());
  const { interfaces, problem } = listInterfaces(host);
  if (problem !== null)
    throw new ExitError('usage', `--net-interface: ${problem}`, `${ALLOW_NETLINK}, or leave the option out.`);
  const known = Object.keys(interfaces);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return names;
  throw new ExitError(
    'usage',
    `--net-interface: this machine has no interface '${wrong}' with an address`,
    `It has ${known.join(', ')}.`,
  );
}

/**
 * Long options that may also be written with one dash, as similar agents accept them. commander refuses to define a
 * multi-letter short flag and would read `-api-key` as `-a -p -i …`, so argv is rewritten before it parses.
 */
const SINGLE_DASH_NAMES = new Set(['api-key', 'api-key-file', 'setup', 'coordinator', 'device', 'version', 'help']);

/** `-api-key X` and `-api-key=X` become `--api-key …`; nothing after `--` is touched. */
export function normaliseArgv(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  const options = end === -1 ? argv : argv.slice(0, end);
  const rest = end === -1 ? [] : argv.slice(end);
  return [...options.map(withTwoDashes), ...rest];
}

function withTwoDashes(argument: string): string {
  const match = /^-([a-z][a-z-]+)(=.*)?$/s.exec(argument);
  return match?.[1] !== undefined && SINGLE_DASH_NAMES.has(match[1]) ? `-${argument}` : argument;
}
