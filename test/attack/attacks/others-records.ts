import type { Attack, Finding } from '../attack.ts';
import type { Site } from '../site.ts';

/** Reads, changes and deletes what belongs to another customer, by its id. */
export const attack: Attack = {
  title: 'read, change or delete what belongs to another customer',
  run: async (site) => {
    const { innocent, hostile } = site;
    const made = await innocent.call('POST', '/api/gpu-mark/v1/jobs', { body: { benchmarks: ['quick_mark'] } });
    const { id, token } = made.body as { id: string; token: string };
    return [
      await refused(site, 'GET', `/api/gpu-mark/v1/jobs/${id}`, 404),
      await refused(site, 'GET', `/api/gpu-mark/v1/jobs/${id}/results`, 404),
      await refused(site, 'DELETE', '/api/gpu-mark/v1/jobs/delete', 403, { id }),
      await listsNothing(site, id),
      await jobTokenOpensNoApi(hostile.call, token),
    ];
  },
};

async function refused(
  { hostile }: Site,
  method: 'GET' | 'DELETE',
  path: string,
  status: number,
  body?: unknown,
): Promise<Finding> {
  const answer = await hostile.call(method, path, body === undefined ? {} : { body });
  return { tried: `${method} ${path} of another customer`, answer: `${answer.status}`, held: answer.status === status };
}

async function listsNothing({ hostile }: Site, id: string): Promise<Finding> {
  const answer = await hostile.call('GET', '/api/gpu-mark/v1/jobs?per_page=300');
  const { results } = answer.body as { results: { id: string }[] };
  return {
    tried: "the job list, for another customer's job",
    answer: `${results.length} jobs, none of them another's`,
    held: results.every((job) => job.id !== id),
  };
}

async function jobTokenOpensNoApi(call: Site['hostile']['call'], token: string): Promise<Finding> {
  const answer = await call('GET', '/api/gpu-mark/v1/jobs', { bearer: token });
  return { tried: 'the job list with a job token', answer: `${answer.status}`, held: answer.status === 401 };
}
