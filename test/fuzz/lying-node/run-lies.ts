import { Agent, request } from 'undici';
import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import { networkPaths } from '../../../coordinator/contract/network-protocol.ts';
import { expireJobs, sweepLeases } from '../../../coordinator/lifecycle/sweep.ts';
import { seededRandom, type SeededRandom } from '../../../coordinator/network/schedule/seeded-random.ts';
import type { TestApp } from '../../support/app-over.ts';
import { guarded, wrongFigures } from './guarded.ts';
import { figureOf, honestRun } from './honest-moves.ts';
import { makeLie, type Knowledge, type Lie } from './make-lie.ts';
import { phases } from './seats.ts';
import { makeWorld, type World } from './world.ts';

export interface Lies {
  worlds: number;
  honest: number;
  /** by path and status */
  answers: Map<string, number>;
  violations: string[];
}

/** Lies per job: while the honest nodes work, after their end, after the job's, and past the token's expiry. */
const STAGES = { working: 300, done: 60, ended: 80, expired: 40 };
const MOST_VIOLATIONS = 20;
/** A refused lie is looked at closely once in so many; an accepted one always. */
const LOOK_EVERY = 8;
/** Its own poll without news waits; the liar does not. Another's is refused, and how long that takes is not judged here. */
const PATIENCE_MS = 150;
/** Honest nodes beat at least this often, seconds of the app's clock. */
const BEAT_S = 10;

interface Run {
  test: TestApp;
  random: SeededRandom;
  send: (lie: Lie, mayWait: boolean) => Promise<{ status: number; text: string }>;
  lies: Lies;
  left: number;
}

/** Real HTTP, so that the lanes past the router are lied to as well; one call at a time, so that a seed gives the same run. */
export async function runLies(test: TestApp, { seed, steps }: { seed: string; steps: number }): Promise<Lies> {
  const { url } = await test.listen();
  const dispatcher = new Agent({ connections: 4 });
  const lies: Lies = { worlds: 0, honest: 0, answers: new Map(), violations: [] };
  const run: Run = { test, random: seededRandom(seed), send: sender(url, dispatcher), lies, left: steps };
  try {
    while (run.left > 0 && lies.violations.length < MOST_VIOLATIONS) {
      const world = await makeWorld(test, phases[lies.worlds % phases.length] ?? 'rounds');
      lies.worlds += 1;
      await lieTo(run, world);
    }
  } finally {
    await dispatcher.destroy();
  }
  return lies;
}

function sender(url: string, dispatcher: Agent): Run['send'] {
  return async ({ path, bearer, secret, body }, mayWait) => {
    try {
      const answer = await request(url + path, {
        method: body === undefined ? 'GET' : 'POST',
        dispatcher,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
          ...(secret === null ? {} : { 'x-task-secret': secret }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        ...(mayWait && { signal: AbortSignal.timeout(PATIENCE_MS) }),
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    } catch (error) {
      if (mayWait) return { status: 0, text: 'waited' };
      throw error;
    }
  };
}

async function lieTo(run: Run, world: World): Promise<void> {
  const { test, random, lies } = run;
  const { liar, own, honest } = world;
  const known: Knowledge = { secrets: [liar.taskSecret ?? '', own.node.taskSecret ?? ''], sent: [] };
  const moves = honest.map((node, seat) => honestRun(world, node, seat));
  const holder = new Map([liar, own.node].map((node) => [node.taskSecret ?? '', node.taskId]));
  let expected = await guarded(world);
  const lie = async (count: number) => {
    for (let done = 0; done < count && run.left > 0; done += 1, run.left -= 1)
      expected = await oneLie(run, { world, known, holder }, expected, done);
  };
  const asHonest = async (move: (() => Promise<{ status: number; text: string }>) | undefined) => {
    const answer = await move?.();
    lies.honest += 1;
    if (answer && answer.status !== 200) violate(lies, `an honest call was answered ${answer.status} ${answer.text}`);
    expected = await guarded(world);
  };
  const between = Math.max(1, Math.floor(STAGES.working / moves.flat().length));
  while (moves.some((own) => own.length > 0)) {
    await lie(1 + random.below(2 * between));
    await asHonest(
      moves.filter((own) => own.length > 0)[random.below(moves.filter((own) => own.length > 0).length)]?.shift(),
    );
    test.clock.advance({ seconds: random.below(BEAT_S) });
    for (const [seat, node] of honest.entries()) if ((moves[seat]?.length ?? 0) > 0) await asHonest(() => node.beat());
    await asHonest(() => world.other.node.beat());
    await sweepLeases(test.context);
  }
  await lie(STAGES.done);
  // the liar falls silent, so that the job ends without it
  test.clock.advance({ seconds: 60 });
  await sweepLeases(test.context);
  test.clock.advance({ minutes: 11 });
  await sweepLeases(test.context);
  expected = await guarded(world);
  await lie(STAGES.ended);
  for (const sentence of await wrongFigures(world, figureOf)) violate(lies, sentence);
  test.clock.advance({ hours: 25 });
  await expireJobs(test.context);
  expected = await guarded(world);
  await lie(STAGES.expired);
  for (const sentence of await wrongFigures(world, figureOf)) violate(lies, sentence);
}

interface Liar {
  world: World;
  known: Knowledge;
  /** the task that each of its secrets belongs to */
  holder: Map<string, string>;
}

/** Answers the state as it must be from here on. */
async function oneLie(run: Run, { world, known, holder }: Liar, expected: string, step: number): Promise<string> {
  const { lies, random, send } = run;
  const lie = makeLie(random, world, known);
  const speaksForItself = holder.get(lie.secret ?? '') === lie.body?.['task_id'];
  const { status, text } = await send(lie, speaksForItself && lie.path === networkPaths.poll);
  const count = `${lie.path.slice('/api/gpu-mark/v1/agent/'.length)} ${status === 0 ? 'waited' : status}`;
  lies.answers.set(count, (lies.answers.get(count) ?? 0) + 1);
  const told = `${JSON.stringify(lie).slice(0, 600)} -> ${status} ${text.slice(0, 200)}`;
  const accepted = status === 200 || status === 0;
  if (status >= 500) violate(lies, `${status}: ${told}`);
  if (accepted && !isItsOwn(lie, text, world, holder, known)) violate(lies, `accepted as another node: ${told}`);
  if (world.honest.some(({ taskSecret }) => taskSecret !== null && text.includes(taskSecret)))
    violate(lies, `tells another node's secret: ${told}`);
  if (!accepted && step % LOOK_EVERY !== 0) return expected;
  const now = await guarded(world);
  if (now !== expected) violate(lies, `another node's state changed: ${told}`);
  return now;
}

/** Register and the job may be asked with the token alone; all else only with a secret, and as the task that it belongs to. */
function isItsOwn(
  { path, secret, body }: Lie,
  text: string,
  world: World,
  holder: Map<string, string>,
  known: Knowledge,
) {
  if (path === agentPaths.job) return true;
  if (path !== agentPaths.register) return holder.get(secret ?? '') === body?.['task_id'];
  const { task_id, epoch, task_secret } = JSON.parse(text) as { task_id: string; epoch: number; task_secret: string };
  const node = [world.liar, world.own.node].find(({ taskId }) => taskId === task_id);
  if (!node) return false;
  node.epoch = epoch;
  holder.set(task_secret, task_id);
  known.secrets.push(task_secret);
  return true;
}

function violate(lies: Lies, sentence: string): void {
  if (lies.violations.length < MOST_VIOLATIONS) lies.violations.push(`after job ${lies.worlds}: ${sentence}`);
}
