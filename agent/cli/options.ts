import { engineChoice } from '../../coordinator/contract/matrix-engine.ts';
import type { EngineChoice } from '../../coordinator/contract/matrix-engine.ts';
import { looksLikeToken } from './arguments.ts';
import { readCertificates } from './certificates.ts';
import { networkOptions } from './network-options.ts';
import type { NetworkOptions } from './network-options.ts';
import { ExitError } from './exit-error.ts';
import type { Host } from './host.ts';
import { readOptionFile, readTokenFile } from './option-file.ts';

export const TIERS = ['quick', 'standard', 'soak'] as const;
export type Tier = (typeof TIERS)[number];
export const ENGINES = engineChoice.options;
export type OutputMode = 'people' | 'json' | 'classic';

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

/** Flags, environment and files put together: flag before file before environment. */
export interface RunOptions {
  token: string | null;
  /** As given by flag or environment; the job token's own claim is looked at later. */
  coordinator: string | null;
  /** Certificates that are trusted for the coordinator beside the usual ones, PEM. */
  ca: string | null;
  device: string;
  tier: Tier;
  /** What computes the matrix products whose speed is the headline. */
  engine: EngineChoice;
  setup: boolean;
  offline: boolean;
  dry_run: boolean;
  output: OutputMode;
  location: string | null;
  machine_id: string | null;
  /** File of an earlier run to judge this one by. */
  baseline: string | null;
  /** What the measuring of the whole node may take instead of the tier's own time. */
  max_seconds: number | null;
  net: NetworkOptions;
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
