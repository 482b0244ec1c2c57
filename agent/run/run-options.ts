import { engineChoice } from '../../coordinator/contract/matrix-engine.ts';
import type { EngineChoice } from '../../coordinator/contract/matrix-engine.ts';

export const TIERS = ['quick', 'standard', 'soak'] as const;
export type Tier = (typeof TIERS)[number];
export const ENGINES = engineChoice.options;
export const OUTPUTS = ['live', 'plain', 'json', 'classic'] as const;
/** `auto`: live on a terminal that can move its cursor, plain elsewhere. */
export type OutputMode = 'auto' | (typeof OUTPUTS)[number];

/**
 * A threshold for a figure of every device: a value in the metric's unit, or a share of the vendor's published rate.
 */
export type Threshold = { metric: string } & ({ least: number } | { share_of_peak: number });

/** Options of this node for cluster_network; flags override the environment. */
export interface NetworkOptions {
  /** `a-b`; null: the job's range, else any free port. */
  port_range: string | null;
  /** Null: chosen by agent/links/choose-endpoints.ts. */
  interfaces: string[] | null;
  allow_public: boolean;
  /** Fetches all links of the job about once a second, and shows them. */
  matrix: boolean;
}

/** The HTTP proxies of this machine's environment. */
export interface Proxies {
  /** For coordinators by https and by http; null: none. */
  https: string | null;
  http: string | null;
  /** Hosts that are reached directly, as in NO_PROXY: names, `.domain`, addresses, networks, `*`; commas between. */
  except: string;
}

/** Merged from flags, files and environment, in this order of precedence. */
export interface RunOptions {
  token: string | null;
  /** As given by flag or environment; the job token's claim is read later. */
  coordinator: string | null;
  /** PEM certificates trusted for the coordinator in addition to the default ones. */
  ca: string | null;
  /** For the calls to the coordinator. */
  proxies: Proxies;
  device: string;
  tier: Tier;
  /** The engine of the headline matrix products. */
  engine: EngineChoice;
  setup: boolean;
  offline: boolean;
  dry_run: boolean;
  output: OutputMode;
  /** The summary with everything: each device, each reason. */
  verbose: boolean;
  location: string | null;
  machine_id: string | null;
  /** File of an earlier run to compare with. */
  baseline: string | null;
  /** Thresholds for the figures; empty: none. */
  thresholds: readonly Threshold[];
  /** Time limit for measuring the whole node, instead of the tier's. */
  max_seconds: number | null;
  net: NetworkOptions;
}
