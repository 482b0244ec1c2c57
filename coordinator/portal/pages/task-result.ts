import { visibleCustomer } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { idOf } from '../frame/id-of.ts';
import { get, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { findRawResult } from '../queries/node-results.ts';

/** The QuickMark of a machine as it is stored, with every detail and sample that its agent sent. */
async function result({ context, params }: Visit): Promise<Response> {
  const taskId = idOf(params['id']);
  const found = await findRawResult(context.sql, { taskId, customerId: visibleCustomer(context.actor) });
  if (found === null) throw notFound('The result');
  const headers = {
    'Content-Type': 'application/json',
    'Content-Disposition': `attachment; filename="gpumark-task-${taskId}-quick_mark.json"`,
  };
  if (found.raw_key === null) return new Response(found.results, { headers });
  const opened = await context.artifacts.open(found.raw_key);
  if (opened === null) throw notFound('The file of the result');
  return new Response(ReadableStream.from(opened.content), { headers });
}

/** Not for strangers: it has ids of devices and the words of the agent. */
export const taskResultPages: readonly PageRoute[] = [
  get('/tasks/:id/result.json', { who: 'member', isPlain: true }, result),
];
