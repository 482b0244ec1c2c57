import { engineChoice } from '../../coordinator/contract/matrix-engine.ts';
import type { EngineChoice } from '../../coordinator/contract/matrix-engine.ts';

export const TIERS = ['quick', 'standard', 'soak'] as const;
export type Tier = (typeof TIERS)[number];
export const ENGINES = engineChoice.options;
export const OUTPUTS = ['live', 'plain', 'json', 'classic'] as const;
/** `auto`: live on a terminal that can move its cursor, plain elsewhere. */
export type OutputMode = 'auto' | (typeof OUTPUTS)[number];

/** What a figure of every device must reach: a value in the metric's unit, or a share of the rate that its maker publishes. */
export type Threshold = { metric: string } & ({ least: number } | { share_of_peak: number });

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

/** Flags, environment and files put together: flag before file before environment. */
export interface RunOptions {
  token: string | null;
  /** As given by flag or environment; the job token's own claim is looked at later. */
  coordinator: string | null;
  /** Certificates that are trusted for the coordinator in addition to the usual ones, PEM. */
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
  /** What the figures must reach; empty: nothing. */
  thresholds: readonly Threshold[];
  /** What the measuring of the whole node may take instead of the tier's own time. */
  max_seconds: number | null;
  net: NetworkOptions;
}
