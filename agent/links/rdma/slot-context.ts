import type { NetworkSlot } from '../../../coordinator/contract/network-protocol.ts';
import type { LinkClock } from '../link-clock.ts';
import type { GpuMemory } from './gpu-memory.ts';
import type { LocalRail } from './perftest-command.ts';
import type { RdmaSetup } from './probe-rdma.ts';
import type { ProgramPool } from './program-pool.ts';
import type { SlotTimes } from './slot-times.ts';
import type { Talk } from './talk.ts';

/** One rail at this end. */
export interface Rail {
  device: LocalRail;
  gpu: GpuMemory | null;
}

/** Shared by all tests of one slot. */
export interface SlotContext {
  slot: NetworkSlot;
  setup: RdmaSetup;
  clock: LinkClock;
  times: SlotTimes;
  talk: Talk;
  pool: ProgramPool;
  rails: readonly Rail[];
  /** this end's address, for its servers; null if unknown */
  own_address: string | null;
  /** address of the other end's servers */
  peer_address: string | null;
  /** a random TCP port within the operator's range, probably free */
  pickPort: () => number;
  /** this slot's folder for JSON reports; null if this perftest writes none */
  folder: string | null;
}
