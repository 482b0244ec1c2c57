import { z } from '@hono/zod-openapi';
import { boundedJson } from './bounded-json.ts';
import { job, jobLimits, tag } from './job.ts';
import { name } from './names.ts';
import { sizeCaps } from './size-caps.ts';
import { text } from './wire.ts';

const settings = z.record(z.string(), z.unknown());
const benchmarkConfig = boundedJson(settings, sizeCaps.config, 'give fewer settings, and such a number as text').meta({
  description: `At most ${sizeCaps.config.bytes} bytes, nesting at most ${sizeCaps.config.depth} levels. Numbers up to 2^53; longer integers are kept, exactly, as text`,
});

export const createJobRequest = z
  .object({
    name: name(jobLimits.nameLength).optional(),
    description: text(jobLimits.descriptionLength).optional(),
    benchmarks: z
      .array(
        z.union([
          text(60, 1),
          z.object({
            benchmark_id: text(60, 1),
            config: benchmarkConfig.nullable().optional(),
          }),
        ]),
      )
      .max(jobLimits.benchmarks),
    node_count: z.int().min(1).max(jobLimits.nodes).default(1),
    tags: z.array(tag).max(jobLimits.tags).default([]),
  })
  .meta({ id: 'CreateJobRequest' });
export type CreateJobRequest = z.infer<typeof createJobRequest>;

const launchLines = z
  .object({
    download: z.string().optional().meta({ description: 'On each machine: gets, checks and runs the program' }),
    download_arm64: z.string().optional().meta({ description: 'The same on arm64' }),
    binary: z.string().meta({ description: 'On each machine of the job, with the program there' }),
    docker: z.string().meta({
      description:
        'On each machine of the job, with its image there; AMD: --device /dev/kfd --device /dev/dri instead of --gpus all',
    }),
    slurm: z.string().meta({ description: 'Once, on a login node; gpumark.sbatch comes with the product' }),
    kubernetes: z.string().meta({ description: 'Once; benchmark-job.yaml comes with the product' }),
  })
  .meta({ id: 'LaunchLines', description: 'Ours, additive: what starts the agents of this job, token included' });
export type LaunchLines = z.infer<typeof launchLines>;

export const createdJob = job
  .pick({
    id: true,
    name: true,
    description: true,
    node_count: true,
    benchmarks: true,
    tags: true,
    token: true,
    created_at: true,
    expires_at: true,
  })
  .extend({ token: z.string(), launch: launchLines })
  .meta({ id: 'CreatedJob' });
export type CreatedJob = z.infer<typeof createdJob>;
