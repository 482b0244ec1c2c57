import type { Lifetime } from '../../support/lifetime.ts';
import type { ClusterSite } from './cluster-site.ts';

/** One run of packaged agents in a network of its own, and what must be said of it. */
export interface Scenario {
  /** the guarantee that it proves */
  title: string;
  run: (stage: Stage) => Promise<void>;
}

export interface Stage {
  site: ClusterSite;
  t: Lifetime;
  /** Nothing else runs on this machine: then each rate is judged, else what their median says and what is named. */
  idle: boolean;
}
