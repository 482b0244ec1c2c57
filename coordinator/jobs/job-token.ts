import { signJobToken } from '../accounts/job-token.ts';
import { isUsableKey } from '../accounts/credential-caches.ts';
import { currentSigningKey } from '../accounts/signing-key.ts';
import { AGENT_NAME, type AgentPlatform } from '../contract/agent-download.ts';
import type { LaunchLines } from '../contract/create-job.ts';
import { jobHasEnded } from '../lifecycle/states.ts';
import { agentHashes } from '../platform/agent-files/find-agent.ts';
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
  /** where agents are downloaded from, and the hashes of those that are there; default: none are */
  agents?: { url: string; sha256: Partial<Record<AgentPlatform, string>> };
}

/** One command line for each way to start a job's agents; the files they name come with the product, in containers/. */
export function launchLines({ jobId, token, nodeCount, image, agents }: Launch): LaunchLines {
  const secret = `gpumark-${jobId}`;
  const manifest = `sed 's/JOB_ID/${jobId}/g; s/NODE_COUNT/${nodeCount}/g; s|AGENT_IMAGE|${image}|g' benchmark-job.yaml`;
  const download = (name: 'download' | 'download_arm64', platform: AgentPlatform) => {
    const sha256 = agents?.sha256[platform];
    const url = `${agents?.url ?? ''}/agent/${platform}`;
    return sha256 === undefined ? {} : { [name]: downloadLine({ url, sha256, token }) };
  };
  return {
    ...download('download', 'linux-x64'),
    ...download('download_arm64', 'linux-arm64'),
    binary: `GPUMARK_API_KEY=${token} gpumark-agent`,
    docker: `docker run --rm --gpus all --network host --read-only --volume gpumark:/var/lib/gpumark ${image} ${token}`,
    slurm: `GPUMARK_API_KEY=${token} sbatch --nodes=${nodeCount} gpumark.sbatch`,
    kubernetes: `kubectl create secret generic ${secret} --from-literal=token=${token} && ${manifest} | kubectl create -f -`,
  };
}

/**
 * Gets the agent, checks it, runs it. Machines that share the folder may run it at once: each writes a file of its own, and the
 * move replaces the program without changing one that runs. A coordinator with too many downloads asks curl to come again.
 */
const downloadLine = ({ url, sha256, token }: Record<'url' | 'sha256' | 'token', string>): string =>
  [
    `f=$(mktemp ${AGENT_NAME}.XXXXXX)`,
    `curl -fsS --retry 30 -o $f ${url}`,
    `echo "${sha256}  $f" | sha256sum -c`,
    'chmod 755 $f',
    `mv -f $f ${AGENT_NAME}`,
    `GPUMARK_API_KEY=${token} ./${AGENT_NAME}`,
  ].join(' && ');

/** The lines of a job, with the agents that this coordinator has. */
export async function linesOf(
  context: Context,
  job: Pick<Launch, 'jobId' | 'token' | 'nodeCount'>,
): Promise<LaunchLines> {
  const { agentImage: image, publicUrl } = context.config;
  return launchLines({
    ...job,
    image,
    ...(publicUrl !== null && { agents: { url: publicUrl, sha256: await agentHashes(context.config) } }),
  });
}

/** A job with the lines that start its agents; null if its token is not valid any more, or the caller must not see it. */
export async function launchJob(
  context: Context,
  id: string,
): Promise<{ job: JobDetailRow; lines: LaunchLines | null }> {
  const job = await findJob(context.sql, { id, customerId: visibleCustomer(context.actor) });
  if (!job) throw notFound('Job');
  const token = await shownToken(context, job);
  return {
    job,
    lines: token === null ? null : await linesOf(context, { jobId: id, token, nodeCount: job.node_count }),
  };
}
