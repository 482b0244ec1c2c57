import type { NetworkSlot } from '../../../coordinator/contract/network-protocol.ts';
import type { LinkClock } from '../link-clock.ts';
import type { GpuMemory } from './gpu-memory.ts';
import type { LocalRail } from './perftest-command.ts';
import type { RdmaSetup } from './probe-rdma.ts';
import type { ProgramPool } from './program-pool.ts';
import type { SlotTimes } from './slot-times.ts';
import type { Talk } from './talk.ts';

/** One rail as this end has it. */
export interface Rail {
  device: LocalRail;
  gpu: GpuMemory | null;
}

/** What all tests of one slot share. */
export interface SlotContext {
  slot: NetworkSlot;
  setup: RdmaSetup;
  clock: LinkClock;
  times: SlotTimes;
  talk: Talk;
  pool: ProgramPool;
  rails: readonly Rail[];
  /** of this end, for its servers; null: not known */
  own_address: string | null;
  /** where the other end's servers are */
  peer_address: string | null;
  /** a TCP port that may be free, within the range that the operator allows */
  pickPort: () => number;
  /** folder of this slot for JSON reports; null if this perftest writes none */
  folder: string | null;
}
