import type { LaunchLines } from '../contract/job.ts';

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
