import { after } from 'node:test';
import { expireJobs, sweepLeases } from '../../../coordinator/lifecycle/sweep.ts';
import { testApp } from '../../support/app.ts';
import { makeUser, type Json } from '../../support/client.ts';
import { at, getJob, makeJob } from '../jobs/node.ts';

/** The app of a test file and its clock, which stays where the last test left it. */
export const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });

let user = await makeUser(app);

/** Who made the last job. */
export const owner = () => user;

/** A new job of a new user, whose login is of the clock's time. */
export async function fresh(body: Record<string, unknown> = {}) {
  user = await makeUser(app);
  return makeJob(app, user, body);
}

export const codeOf = (answer: { body: Json | undefined }) => at(answer.body, 'error', 'code');
export const stateOf = async (jobId: string) => at(await getJob(app, user, jobId), 'state');
export const taskStateOf = async (jobId: string) => at(await getJob(app, user, jobId), 'tasks', 0, 'state');

/** Moves the clock and does the sweeps that fall due. */
export async function forward(amount: Parameters<typeof app.clock.advance>[0]): Promise<void> {
  app.clock.advance(amount);
  await sweepLeases(app.context);
  await expireJobs(app.context);
}
