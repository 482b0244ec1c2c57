import type { SystemFiles } from '../inventory/system-files.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is known of a vendor's cards that cannot be used. */
export interface Situation {
  vendor: string;
  status: string;
  /** The driver's error number: cuda.h, hip_runtime_api.h. */
  code: number | null;
  files: SystemFiles;
  env: Environment;
  /** Addresses of the cards in question on the PCI bus. */
  cards: readonly string[];
  /** Other cards of the vendor can be used, so its driver is installed and loaded. */
  others_work: boolean;
}

/** One sentence for what is the matter, without a full stop, and what to do about it. */
export interface Cause {
  cause: string;
  remedy: string;
}
