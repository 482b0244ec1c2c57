import type { NetworkPlan, NetworkReport } from '../../coordinator/contract/network-protocol.ts';
import { withPort } from './address-kind.ts';
import type { Dialled } from './link-events.ts';
import { answerBy } from './plan-tools.ts';
import type { OwnCode, PlanTools } from './plan-tools.ts';

type PreflightPlan = Extract<NetworkPlan, { kind: 'preflight' }>;
type Dial = PreflightPlan['dials'][number];

/** As for a slot: a dialer's clock may be this far ahead, and a dial before the window is not answered. */
const READY_BEFORE_MS = 300;

/** Makes the planned dials and accepts the announced ones; resolves when every dial has its report. */
export async function performPreflight(tools: PlanTools, plan: PreflightPlan): Promise<void> {
  const { clock, commands } = tools;
  const from = clock.toMonotonic(plan.starts_at_ms - READY_BEFORE_MS);
  const until = clock.toMonotonic(plan.ends_at_ms);
  for (const { id, key } of plan.accepts) commands.accept(id, key, from, until);
  await Promise.all(plan.dials.map((dial) => performDial(tools, plan, dial)));
}

async function performDial(tools: PlanTools, plan: PreflightPlan, dial: Dial): Promise<void> {
  const { clock, commands, report } = tools;
  const to = dial.addresses.map(({ address, port }) => withPort(address, port));
  if (to.length === 0) return report(failed(dial, 'unreachable', 'NO_ADDRESS'));
  // The runner makes a few dials at once and queues the others in order.
  const start = clock.toMonotonic(plan.starts_at_ms);
  const question = commands.dial(dial.id, dial.key, to, start, plan.timeout_ms);
  const answer = await answerBy(tools, dial.id, plan.ends_at_ms, question);
  if (answer === 'over') return;
  if (answer === 'late') return report(failed(dial, 'timeout', 'PREFLIGHT_OVER'));
  report(answer === null ? failed(dial, 'transport_error', 'RUNNER_DIED') : reportOf(dial, answer));
}

function reportOf(dial: Dial, { status, code, address, connect_us }: Dialled): NetworkReport {
  const named = dial.addresses.find((one) => address === one.address || address === withPort(one.address, one.port));
  return { kind: 'dial', id: dial.id, status, stage: null, code, address: named?.address ?? null, connect_us };
}

const failed = (dial: Dial, status: Dialled['status'], code: OwnCode): NetworkReport => ({
  kind: 'dial',
  id: dial.id,
  status,
  stage: 'connect',
  code,
  address: null,
  connect_us: null,
});
