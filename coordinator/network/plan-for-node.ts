import type { NetworkPlan, NetworkSlot } from '../contract/network-protocol.ts';
import { addressOrder, subnetsOf } from './choose-address.ts';
import { preflight } from './network-times.ts';
import { nominalGbps } from './planning/slot-of-link.ts';
import type { SlotRow } from './queries/links.ts';
import { dialId, slotId, slotKey } from './slot-key.ts';
import type { RunRow, SeatRow } from './run-row.ts';

/** The newest plan of a run, cached by a process for its polls. */
export interface PlanView {
  run: RunRow;
  seats: SeatRow[];
  /** slots of this plan and the previous one, by node, in order */
  slots: Map<number, SlotRow[]>;
  /** by node, its own addresses that other nodes still dial */
  listen: Map<number, Set<string>>;
}

/**
 * This node's part of the newest plan, and the rest of the previous plan if the node has missed that; null if the node
 * has no part in it. Contains keys: give it to this node only.
 */
export function planForNode(
  view: PlanView,
  node: number,
  { have, nowMs }: { have: number; nowMs: number },
): NetworkPlan | null {
  const { run, seats } = view;
  const { plan, secret } = run;
  if (plan === null || secret === null) return null;
  if (plan.kind === 'preflight') return preflightPlan(view, secret, node);
  if (plan.kind === 'collective') return collectivePlan(run, node);
  const slots = (view.slots.get(node) ?? []).filter(
    (slot) => slot.sequence === run.sequence || (slot.sequence > have && slot.starts_at_ms > nowMs),
  );
  const first = slots.at(-1);
  if (!first || first.phase === 'preflight') return null;
  return {
    kind: 'slots',
    phase: first.phase,
    ends_at_ms: plan.ends_at_ms,
    listen: [...(view.listen.get(node) ?? [])].slice(0, 16),
    slots: slots.slice(0, 64).map((slot) => slotFor({ run, seats, secret }, slot, node)),
  };
}

function preflightPlan({ run, seats }: PlanView, secret: Buffer, node: number): NetworkPlan | null {
  const { plan } = run;
  const own = seats[node];
  if (plan === null || !own || !(plan.seats ?? []).includes(node)) return null;
  const listeners = new Set(plan.listeners);
  const near = subnetsOf(own.endpoints);
  const others = (plan.seats ?? []).filter((other) => other !== node);
  const turn = plan.turn ?? 1;
  const dialled = plan.pairs?.filter(([from]) => from === node).map(([, to]) => to);
  const dialling = plan.pairs?.filter(([, to]) => to === node).map(([from]) => from);
  return {
    kind: 'preflight',
    starts_at_ms: plan.starts_at_ms,
    ends_at_ms: plan.ends_at_ms,
    at_once: preflight.atOnce,
    timeout_ms: preflight.timeoutMs,
    dials: others
      .filter((other) => listeners.has(other) && (dialled?.includes(other) ?? true))
      .map((other) => {
        const id = dialId(node, other, turn);
        const addresses = addressOrder(near, seats[other]?.endpoints ?? []);
        return {
          id,
          node: other,
          key: slotKey(secret, id),
          addresses: addresses.map(({ address, port }) => ({ address, port })),
        };
      }),
    accepts: listeners.has(node)
      ? others
          .filter((other) => dialling?.includes(other) ?? true)
          .map((other) => {
            const id = dialId(other, node, turn);
            return { id, node: other, key: slotKey(secret, id) };
          })
      : [],
  };
}

function slotFor(
  { run, seats, secret }: { run: RunRow; seats: SeatRow[]; secret: Buffer },
  slot: SlotRow,
  node: number,
): NetworkSlot {
  const id = slotId(slot);
  const other = slot.source === node ? slot.target : slot.source;
  const dials = slot.dialer === node;
  const listener = slot.dialer === slot.source ? slot.target : slot.source;
  const endpointOf = (seat: number, address: string | null) => {
    const endpoints = seats[seat]?.endpoints ?? [];
    return endpoints.find((endpoint) => endpoint.address === address) ?? endpoints[0];
  };
  return {
    id,
    node: other,
    role: dials ? 'dial' : 'listen',
    is_source: slot.source === node,
    key: slotKey(secret, id),
    local_address: dials ? slot.dialer_address : slot.address,
    peer_address: dials ? slot.address : null,
    peer_port: dials ? slot.port : null,
    starts_at_ms: slot.starts_at_ms,
    slot_ms: slot.slot_ms,
    transport: slot.transport,
    streams: slot.streams ?? 1,
    ping_pause_ms: run.config?.ping_pause_ms ?? 0,
    nominal_gbps: nominalGbps(endpointOf(listener, slot.address), endpointOf(slot.dialer, slot.dialer_address)),
    check_only: slot.phase === 'ring',
  };
}

/** The first node makes the library's id; until it has reported the id, only it gets the plan. */
function collectivePlan({ collective }: RunRow, node: number): NetworkPlan | null {
  const seat = collective?.seats.find((one) => one.node === node);
  if (collective === null || !seat) return null;
  if (collective.unique_id === null && seat.first_rank !== 0) return null;
  const { id, library, unique_id, ranks, ends_at_ms } = collective;
  return {
    kind: 'collective',
    collective: {
      id,
      library,
      unique_id,
      first_rank: seat.first_rank,
      ranks,
      devices: seat.devices,
      ends_at_ms,
    },
  };
}
