import assert from 'node:assert/strict';
import { execa } from 'execa';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { built } from '../built-runner.ts';
import { type SimulatedVendor, simulatedDriver } from '../simulated-driver.ts';

const candidate = z.object({
  type: z.string(),
  path: z.string(),
  algorithm: z.string(),
  right: z.boolean(),
  seconds: z.number(),
  details: z.looseObject({
    library: z.string(),
    library_path: z.string(),
    version: z.string(),
    candidate: z.int(),
    proposed: z.int(),
    workspace_bytes: z.int(),
    workspace_limit_bytes: z.int(),
    simulated: z.boolean().optional(),
  }),
});
const refusal = z.object({ type: z.string(), reason: z.string() });
const failure = z.object({ error: z.string(), code: z.int(), name: z.string() });

export type Candidate = z.infer<typeof candidate>;

export interface EngineAnswer {
  candidates: Candidate[];
  /** By type. */
  reasons: Record<string, string>;
  error?: z.infer<typeof failure>;
}

export interface EngineRequest {
  vendor: SimulatedVendor;
  types: readonly string[];
  /** m, n, k; all different unless the test says otherwise. */
  shape?: readonly [number, number, number];
  /** Folders of native/build/sim for the loader's path; the driver and its vendor's matrix library by default. */
  folders?: readonly string[];
  /** GPUMARK_SIM_* without its beginning, or a variable of another name as it is. */
  sim?: Record<string, string>;
  cwd?: string;
}

/** What the vendor's library gives on the default device, sm_90 or gfx942. */
export const typesOf = {
  nvidia: ['fp32', 'fp64', 'tf32', 'fp16', 'bf16', 'mixed', 'fp8'],
  amd: ['fp64', 'tf32', 'fp16', 'bf16', 'mixed', 'fp8'],
} as const;

/** A folder of the simulated drivers and libraries. */
export const simFolder = async (name: string): Promise<string> => join(dirname(await simulatedDriver('nvidia')), name);

/** All candidates of the vendor engine to the products of these types, each run once and compared with the definition. */
export async function askEngine(request: EngineRequest): Promise<EngineAnswer> {
  const names = request.folders ?? [request.vendor, `blas-${request.vendor}`];
  const folders = await Promise.all(names.map(simFolder));
  const env: Record<string, string> = { GPUMARK_SIM_MEMORY_MIB: '64', LD_LIBRARY_PATH: folders.join(':') };
  for (const [name, value] of Object.entries(request.sim ?? {})) {
    env[/^GPUMARK|^PATH|_HOME$/.test(name) ? name : `GPUMARK_SIM_${name}`] = value;
  }
  const sizes = (request.shape ?? [40, 72, 64]).map(String);
  const { stdout, stderr, exitCode } = await execa(
    await built('unit-tests'),
    ['vendor', request.vendor, ...sizes, ...request.types],
    {
      env,
      extendEnv: false,
      reject: false,
      ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    },
  );
  assert.equal(exitCode, 0, stderr);
  const answer: EngineAnswer = { candidates: [], reasons: {} };
  for (const line of stdout.split('\n')) {
    const parsed: unknown = JSON.parse(line);
    const read = z.union([candidate, refusal, failure]).parse(parsed);
    if ('error' in read) answer.error = read;
    else if ('reason' in read) answer.reasons[read.type] = read.reason;
    else answer.candidates.push(read);
  }
  return answer;
}

export const candidatesOf = (answer: EngineAnswer, type: string): number[] =>
  answer.candidates.filter((one) => one.type === type).map((one) => one.details.candidate);
