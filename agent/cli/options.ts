import { portRange } from '../../coordinator/contract/network-config.ts';
import type { EngineChoice } from '../../coordinator/contract/matrix-engine.ts';
import { looksLikeToken } from '../run/tokens.ts';
import { readCertificates } from './certificates.ts';
import type { NetworkOptions, OutputMode, RunOptions, Tier } from '../run/run-options.ts';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { readOptionFile, readTokenFile } from './option-file.ts';

/** What commander leaves after parsing; names as it spells them. */
export interface ParsedFlags {
  apiKey?: string;
  apiKeyFile?: string;
  coordinator?: string;
  ca?: string;
  device: string;
  tier: Tier;
  engine?: EngineChoice;
  setup?: boolean;
  offline?: boolean;
  dryRun?: boolean;
  list?: boolean;
  json?: boolean;
  output?: string;
  location?: string;
  machineId?: string;
  machineIdFile?: string;
  baseline?: string;
  maxSeconds?: string;
  netPortRange?: string;
  netInterface?: string;
  netPublic?: boolean;
  netMatrix?: boolean;
}

/** @throws ExitError usage where options contradict each other or a named file cannot be read */
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
    device: flags.device,
    tier: flags.tier,
    engine: flags.engine ?? 'auto',
    setup: flags.setup === true,
    offline: flags.offline === true,
    dry_run: flags.dryRun === true,
    output: outputMode(flags),
    location: filled(flags.location) ?? filled(host.env['GPUMARK_LOCATION']),
    machine_id:
      filled(flags.machineId) ?? machineIdOfFile(flags.machineIdFile) ?? filled(host.env['GPUMARK_MACHINE_ID']),
    baseline: filled(flags.baseline),
    max_seconds: maxSeconds(flags),
    net: networkOptions(host, flags),
  };
}

function maxSeconds({ maxSeconds: given, tier }: ParsedFlags): number | null {
  if (given === undefined) return null;
  if (tier === 'soak') {
    throw new ExitError('usage', '--max-seconds: a soak is not shortened', 'Leave it out, or take --tier standard.');
  }
  const seconds = Number(given);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new ExitError('usage', `--max-seconds: '${given}' is no number of seconds above 0`);
}

/** As flag or environment have it; null where both are absent or blank. */
export const givenCoordinator = (host: Host, flags: Pick<ParsedFlags, 'coordinator'>): string | null =>
  filled(flags.coordinator) ?? filled(host.env['GPUMARK_COORDINATOR']);

function tokenFrom(host: Host, flags: ParsedFlags, positional: string | undefined): string | null {
  if (positional !== undefined && !looksLikeToken(positional)) {
    throw new ExitError(
      'usage',
      `unknown command or argument '${positional}'`,
      'A lone argument must be a job token. See gpumark-agent --help.',
    );
  }
  return (
    filled(flags.apiKey) ??
    filled(positional) ??
    (flags.apiKeyFile === undefined ? null : readTokenFile(host, flags.apiKeyFile)) ??
    filled(host.env['GPUMARK_API_KEY'])
  );
}

const machineIdOfFile = (path: string | undefined): string | null =>
  path === undefined ? null : readOptionFile({ path, option: '--machine-id-file' });

function outputMode(flags: ParsedFlags): OutputMode {
  if (flags.json === true && flags.output !== undefined) {
    throw new ExitError('usage', '--json and --output exclude each other');
  }
  return flags.json === true ? 'json' : flags.output === 'classic' ? 'classic' : 'people';
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
