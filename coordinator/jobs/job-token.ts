import { signJobToken } from '../accounts/job-token.ts';
import { isUsableKey } from '../accounts/credential-caches.ts';
import { currentSigningKey } from '../accounts/signing-key.ts';
import type { LaunchLines } from '../contract/create-job.ts';
import { jobHasEnded } from '../lifecycle/states.ts';
import type { Context } from '../platform/context.ts';
import type { JobRow } from './job-row.ts';
import { type TokenRow, findJob, type JobDetailRow } from './queries.ts';
import { visibleCustomer } from '../platform/actor.ts';
import { notFound } from '../platform/errors.ts';

/** The key that signs the tokens of jobs created now. */
export async function currentTokenKey(context: Context): Promise<string> {
  return (await currentSigningKey(context, 'job')).kid;
}

/** The job's token, the same on every call: it is derived from the row and not stored. */
export function jobToken(context: Context, row: TokenRow): Promise<string> {
  return signJobToken(context, {
    jobId: row.id,
    customerId: row.customer_id,
    tokenId: row.token_id,
    kid: row.token_kid,
    issuedAt: row.created_at,
    expiresAt: row.expires_at,
  });
}

/**
 * The token as a job's list and detail show it: to the customer that owns the job, and while it is valid for the job's
 * ordinary calls, so not after the job has ended (also by abort or expiry), it has expired or its key was retired. Null for
 * staff of another customer. That it still serves to deliver late results for some days matters only to the agent that has it.
 */
export async function shownToken(context: Context, row: JobRow): Promise<string | null> {
  const { actor } = context;
  const owns = 'customerId' in actor && actor.customerId === row.customer_id;
  if (!owns || jobHasEnded(row.state) || row.expires_at <= context.now()) return null;
  return (await isUsableKey(context, row.token_kid)) ? jobToken(context, row) : null;
}

interface Launch {
  jobId: string;
  token: string;
  nodeCount: number;
  /** reference of the agent's image */
  image: string;
}

/** One command line for each way to start a job's agents; the files they name come with the product, in containers/. */
export function launchLines({ jobId, token, nodeCount, image }: Launch): LaunchLines {
  const secret = `gpumark-${jobId}`;
  const manifest = `sed 's/JOB_ID/${jobId}/g; s/NODE_COUNT/${nodeCount}/g; s|AGENT_IMAGE|${image}|g' benchmark-job.yaml`;
  return {
    binary: `GPUMARK_API_KEY=${token} gpumark-agent`,
    docker: `docker run --rm --gpus all --network host --read-only --volume gpumark:/var/lib/gpumark ${image} ${token}`,
    slurm: `GPUMARK_API_KEY=${token} sbatch --nodes=${nodeCount} gpumark.sbatch`,
    kubernetes: `kubectl create secret generic ${secret} --from-literal=token=${token} && ${manifest} | kubectl create -f -`,
  };
}

/** A job with the lines that start its agents; null if its token is not valid any more, or the caller must not see it. */
export async function launchJob(
  context: Context,
  id: string,
): Promise<{ job: JobDetailRow; lines: LaunchLines | null }> {
  const job = await findJob(context.sql, { id, customerId: visibleCustomer(context.actor) });
  if (!job) throw notFound('Job');
  const token = await shownToken(context, job);
  const image = context.config.agentImage;
  return { job, lines: token === null ? null : launchLines({ jobId: id, token, nodeCount: job.node_count, image }) };
}
