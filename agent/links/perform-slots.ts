import type { NetworkPlan, NetworkSlot } from '../../coordinator/contract/network-protocol.ts';
import { withPort } from './address-kind.ts';
import type { SlotWords } from './link-commands.ts';
import type { SlotEnded } from './link-events.ts';
import { answerBy } from './plan-tools.ts';
import type { OwnCode, PlanTools, SlotReport } from './plan-tools.ts';

/** The runner ends every slot on time by itself; after this much longer it counts as unresponsive. */
const SILENCE_MS = 1_000;
/**
 * The runner's allowance for clocks (`kGuard`). A slot of the rounds that arrives later than this has little time left to
 * connect, and is planned again if it is reported as late. Other slots are not planned again, so they are tried as long as
 * they last.
 */
const LATEST_MS = 250;

type Phase = Extract<NetworkPlan, { kind: 'slots' }>['phase'];
/** Assumed for an interface of unknown speed: no single link today is faster. */
const FASTEST_GBPS = 800;
/** Margin above an interface's nominal speed. */
const NOMINAL_MARGIN = 1.25;

/** Passes all slots to the runner at once, each with its absolute start; resolves when every one has its report. */
export async function performSlots(tools: PlanTools, slots: readonly NetworkSlot[], phase: Phase): Promise<void> {
  const latest = ({ starts_at_ms, slot_ms }: NetworkSlot): number =>
    starts_at_ms + (phase === 'rounds' ? LATEST_MS : slot_ms);
  await Promise.all(
    slots.map(async (slot) => {
      if (tools.clock.now_ms() >= latest(slot)) tools.report(failed(slot, 'timeout', 'PLAN_LATE'));
      else await (slot.transport === 'tcp' ? measureTcp(tools, slot) : measureBesideChannel(tools, slot));
    }),
  );
}

/** Closes every listener that no later slot needs. @returns the addresses that stay */
export function keepListening(
  { commands }: Pick<PlanTools, 'commands'>,
  listening: ReadonlySet<string>,
  plan: Extract<NetworkPlan, { kind: 'slots' }>,
): Set<string> {
  const needed = new Set(plan.listen);
  for (const address of listening) if (!needed.has(address)) commands.unlisten(address);
  return listening.intersection(needed);
}

async function measureTcp(tools: PlanTools, slot: NetworkSlot): Promise<void> {
  const { commands, report } = tools;
  const end = slot.starts_at_ms + slot.slot_ms;
  const answer = await answerBy(tools, slot.id, end + SILENCE_MS, commands.measure(wordsOf(tools, slot)));
  if (answer === 'over') return;
  if (answer === 'late') return report(failed(slot, 'timeout', 'RUNNER_SILENT'));
  report(answer === null ? failed(slot, 'transport_error', 'RUNNER_DIED') : reportOf(tools, slot, answer));
}

/**
 * Both ends authenticate each other first; then tools that cannot authenticate measure, coordinated over the channel.
 */
async function measureBesideChannel(tools: PlanTools, slot: NetworkSlot): Promise<void> {
  const { commands, measureRdma, over, report } = tools;
  const end = slot.starts_at_ms + slot.slot_ms;
  if (measureRdma === null) return report(failed(slot, 'transport_error', 'NO_RDMA'));
  const answer = await answerBy(tools, slot.id, end, commands.openChannel(wordsOf(tools, slot)));
  if (answer === 'over') return;
  if (answer === 'late') return report(failed(slot, 'timeout', 'RUNNER_SILENT'));
  const { opened, channel } = answer;
  if (opened === null) return report(failed(slot, 'transport_error', 'RUNNER_DIED'));
  const { status, stage, code } = opened;
  if (channel === null) return report({ ...failed(slot, status, null), stage, code });
  const measured = await measureRdma(slot, channel).catch(() => failed(slot, 'transport_error', 'TOOL_FAILED'));
  channel.hang_up();
  if (!over.aborted) report(measured);
}

function wordsOf({ clock }: PlanTools, slot: NetworkSlot): SlotWords {
  const isDialer = slot.role === 'dial';
  const seconds = slot.slot_ms / 1000;
  return {
    id: slot.id,
    key: slot.key,
    role: slot.role,
    local: slot.local_address,
    peer:
      isDialer && slot.peer_address !== null && slot.peer_port !== null
        ? withPort(slot.peer_address, slot.peer_port)
        : null,
    start: clock.toMonotonic(slot.starts_at_ms),
    length: slot.slot_ms,
    streams: slot.streams,
    ping_pause: slot.ping_pause_ms,
    // Each direction has less than half of the slot.
    cap: Math.ceil((((slot.nominal_gbps ?? FASTEST_GBPS) * 1e9) / 8) * NOMINAL_MARGIN * (seconds / 2)),
  };
}

function reportOf({ clock }: PlanTools, slot: NetworkSlot, event: SlotEnded): SlotReport {
  const { status, stage, code, received, sent, rtt_us, mtu } = event;
  return {
    kind: 'slot',
    id: slot.id,
    status,
    stage,
    code,
    started_at_ms: event.started === null ? null : clock.toCoordinator(event.started),
    start_skew_ms: event.skew,
    received,
    sent,
    rtt_us,
    mtu,
    interface: event.interface,
    rails: [],
  };
}

const failed = (slot: NetworkSlot, status: SlotReport['status'], code: OwnCode | null): SlotReport => ({
  kind: 'slot',
  id: slot.id,
  status,
  stage: 'connect',
  code,
  started_at_ms: null,
  start_skew_ms: null,
  received: null,
  sent: null,
  rtt_us: null,
  mtu: null,
  interface: null,
  rails: [],
});
