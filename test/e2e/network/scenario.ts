import type { Lifetime } from '../../support/lifetime.ts';
import type { ClusterSite } from './cluster-site.ts';

/** One run of packaged agents in a network of its own, and what its result must say. */
export interface Scenario {
  /** the guarantee that is tested */
  title: string;
  run: (stage: Stage) => Promise<void>;
}

export interface Stage {
  site: ClusterSite;
  t: Lifetime;
}
