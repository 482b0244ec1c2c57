import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import { networkPaths } from '../../../coordinator/contract/network-protocol.ts';
import { resultKey } from '../../../coordinator/contract/result-key.ts';
import type { SeededRandom } from '../../../coordinator/network/schedule/seeded-random.ts';
import type { Node } from '../../coordinator/jobs/node.ts';
import { upload } from '../../coordinator/jobs/upload.ts';
import { collectiveReport, dialReport, slotReport } from './honest-moves.ts';
import { mutate } from './mutate.ts';
import { HONEST } from './seats.ts';
import { callerOf, joinOf, type World } from './world.ts';

/** One call of the liar. */
export interface Lie {
  path: string;
  bearer: string | null;
  secret: string | null;
  /** undefined: a GET */
  body: Record<string, unknown> | undefined;
}

/** What the liar knows: its own secrets, old ones included, and what it has sent before. */
export interface Knowledge {
  secrets: string[];
  sent: Lie[];
}

const MOST_SENT = 64;
const paths = [...Object.values(agentPaths), ...Object.values(networkPaths)];

export function makeLie(random: SeededRandom, world: World, known: Knowledge): Lie {
  const pick = <T>(values: readonly T[]): T => values[random.below(values.length)] as T;
  const replayed = known.sent.length > 0 && random.below(6) === 0 ? pick(known.sent) : null;
  const lie = replayed
    ? { ...replayed, ...(random.below(2) === 0 ? { secret: secretOf(random, world, known) } : {}) }
    : {
        path: pick(paths),
        bearer: bearerOf(random, world),
        secret: secretOf(random, world, known),
        body: {} as Lie['body'],
      };
  if (!replayed) lie.body = bodyOf(random, world, lie.path);
  if (lie.body !== undefined && random.below(5) < 2) lie.body = mutate(random, lie.body, idsOf(world));
  if (lie.path === agentPaths.results && lie.body && random.below(4) > 0) lie.body = keyed(lie.body, world);
  if (known.sent.length >= MOST_SENT) known.sent.splice(random.below(MOST_SENT), 1);
  known.sent.push(lie);
  return lie;
}

function bearerOf(random: SeededRandom, { job, own }: World): string | null {
  const which = random.below(20);
  if (which === 0) return null;
  if (which === 1) return `${job.token.slice(0, -4)}AAAA`;
  return which < 4 ? own.job.token : job.token;
}

/** Its own as a rule, for another node's secret is what it has not got: then what it could guess from what it knows. */
function secretOf(random: SeededRandom, { honest, other }: World, { secrets }: Knowledge): string | null {
  const victim = [...honest, other.node][random.below(HONEST + 1)] as Node;
  const guesses = [
    null,
    '',
    'gmts_',
    victim.sessionId,
    `gmts_${victim.taskId.padStart(43, '0')}`,
    `gmts_${Buffer.from(victim.machineUuid.padEnd(32, '\0')).toString('base64url').slice(0, 43)}`,
    `gmts_${'A'.repeat(43)}`,
  ];
  const from = random.below(4) === 0 ? guesses : secrets;
  return from[random.below(from.length)] ?? null;
}

/** Ids and numbers of others, for every field. */
function idsOf({ honest, liar, other, own, job }: World): unknown[] {
  const nodes = [...honest, liar, other.node, own.node];
  return [
    ...nodes.flatMap((node) => [node.taskId, node.machineUuid]),
    job.id,
    other.job.id,
    own.job.id,
    liar.sessionId,
  ];
}

/** A well-formed call as some node, most often another than itself. */
function bodyOf(random: SeededRandom, world: World, path: string): Lie['body'] {
  const { honest, liar, other, own } = world;
  const nodes = [...honest, ...honest, liar, liar, liar, other.node, own.node];
  const as = nodes[random.below(nodes.length)] as Node;
  const epoch = [as.epoch, as.epoch, as.epoch, 1, 2, 2_147_483_647][random.below(6)] as number;
  const task = { task_id: as.taskId, epoch };
  const caller = { ...callerOf(as), epoch };
  const lied = upload(as.machineUuid, [{ bf16: 1 + random.below(100) }]);
  const { benchmark_results: _, ...inventory } = lied;
  const builders: Record<string, () => Lie['body']> = {
    [agentPaths.register]: () => registration(random, as),
    [agentPaths.heartbeat]: () => ({
      ...task,
      phase: ['waiting', 'measuring', 'uploading'][random.below(3)],
      progress: 0.5,
    }),
    [agentPaths.inventory]: () => ({ ...task, inventory: { ...inventory, location: 'XX' } }),
    [agentPaths.results]: () => ({ ...as.result(lied, { attempt: 1 + random.below(9) }), epoch }),
    [agentPaths.complete]: () => ({ ...task, warnings: ['a lie'] }),
    [agentPaths.fail]: () => ({ ...task, state: random.below(2) === 0 ? 'failed' : 'aborted', message: 'a lie' }),
    [agentPaths.job]: () => undefined,
    [networkPaths.join]: () => ({ ...joinOf(as), epoch, endpoints: [] }),
    [networkPaths.sync]: () => task,
    [networkPaths.poll]: () => ({ ...caller, have: random.below(3) }),
    [networkPaths.report]: () => ({ ...caller, reports: reportsOf(random) }),
    [networkPaths.matrix]: () => ({ ...caller, since: 0 }),
  };
  return builders[path]?.();
}

function registration(random: SeededRandom, as: Node) {
  const sessions = [as.taskId, `00000000-0000-4000-8000-${String(random.below(1e9)).padStart(12, '0')}`];
  return {
    machine_uuid: random.below(8) === 0 ? `new-${random.below(1e6)}` : as.machineUuid,
    session_id: sessions[random.below(8) === 0 ? 0 : 1],
    agent_version: 'liar',
    protocol_version: 1,
    hostname: 'liar',
  };
}

function reportsOf(random: SeededRandom) {
  const seat = () => random.below(HONEST + 1);
  const kinds = [
    () => dialReport(`p.${seat()}.${seat()}`, 1),
    () => slotReport(`${random.below(7)}.${1 + random.below(2)}`, 9999),
    () => ({ kind: 'unique_id' as const, id: 'c.1', unique_id: 'ee'.repeat(128) }),
    () => collectiveReport(9999),
  ];
  return Array.from({ length: 1 + random.below(4) }, () => kinds[random.below(kinds.length)]?.());
}

/** A liar knows how a key is made, so most of its results have the right one. */
function keyed(body: Record<string, unknown>, { job }: World): Record<string, unknown> {
  try {
    return { ...body, result_key: resultKey(job.id, body as unknown as Parameters<typeof resultKey>[1]) };
  } catch {
    return body;
  }
}
