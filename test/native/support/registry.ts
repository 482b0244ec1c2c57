import { execa } from 'execa';
import { z } from 'zod';
import { built } from '../built-runner.ts';

const whole = z.int().nonnegative();
const kernel = { name: z.string(), family: z.string(), type: z.string(), threads: whole, shared_bytes: whole };
const tierSeconds = z.strictObject({ quick: z.number(), standard: z.number(), soak: z.number() });
const document = z.strictObject({
  schema: z.literal('gpumark.native/1'),
  benchmarks: z.array(
    z.strictObject({
      id: z.string(),
      metrics: z.array(z.string()).min(1),
      seconds: tierSeconds,
      turn_seconds: z.number().nonnegative(),
      spans: z.boolean(),
    }),
  ),
  metrics: z.record(
    z.string(),
    z.strictObject({
      unit: z.string(),
      label: z.string(),
      column: z.string().nullable(),
      over_pieces: z.string().nullable(),
    }),
  ),
  plan: z.strictObject({ warm_up_seconds: tierSeconds, matrix_seconds: tierSeconds }),
  backends: z.array(
    z.strictObject({ name: z.string(), benchmarks: z.array(z.string()), absent: z.record(z.string(), z.string()) }),
  ),
  kernels: z.strictObject({
    portable: z.array(z.string()),
    products: z.array(
      z.strictObject({
        ...kernel,
        tile_m: whole,
        tile_n: whole,
        tile_k: whole,
        stages: whole,
        cluster: whole,
      }),
    ),
    probes: z.array(z.strictObject({ ...kernel, operations: whole })),
    fma: z.strictObject({ chains: whole, steps: whole }),
  }),
  images: z.strictObject({ portable: z.array(z.string()), matrix: z.array(z.string()) }),
});

const { stdout } = await execa(await built('gpumark-runner'), ['--list', '--json']);

/** The tables compiled into the runner. */
export const registry = document.parse(JSON.parse(stdout));

const { products, probes } = registry.kernels;
const namesOf = (kernels: readonly { name: string; family: string }[], families: readonly string[]): string[] =>
  kernels.filter(({ family }) => families.includes(family)).map(({ name }) => name);

/** "mma.sync", "mfma": the kinds of instructions that matrix kernels are made of. */
export const matrixFamilies: readonly string[] = [...new Set(products.map(({ family }) => family))];
/** Names of the kernels that multiply matrices with the instructions of these families. */
export const productsOf = (...families: readonly string[]): string[] => namesOf(products, families);
/** Names of the kernels that do nothing but such instructions. */
export const probesOf = (...families: readonly string[]): string[] => namesOf(probes, families);
