import { createRoute, z } from '@hono/zod-openapi';
import { bodyLimit } from './body-limit.ts';
import { access } from './access.ts';
import { detailBody, envelopeErrorBody, envelopeOf } from './errors.ts';
import { orderBy, paginate, resultsOf, singleKeyed } from './list-body.ts';
import { architecture } from './market.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { text } from './wire.ts';

const figure = (description: string) => z.number().nullable().meta({ description });

/** Catalogue entry of one accelerator that is sold or rented under its own name. Unknown is null, never 0. */
const gpuSpecification = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    manufacturer: z.string(),
    chip: z.string(),
    bus: z.string().nullable().meta({ description: 'to the host', example: 'PCIe 5.0 x16' }),
    mem: figure('GB of device memory, as the vendor states it'),
    mem_bus: figure('memory bus width, bits'),
    bandwidth: figure('of the device memory, GB/s'),
    fp16: figure('TFLOPS, dense: on matrix units where there are any, without sparsity'),
    tdp: figure('W'),
    msrp: figure('USD at launch, where the vendor published one'),
    retail_price: figure('USD: newest average price of a new card'),
    rental_price: figure(
      'USD per hour of one accelerator on demand: newest average over providers and all countries; null: none of the last 30 days',
    ),
    rental_price_date: z.string().nullable().meta({ description: 'YYYY-MM-DD, the day of rental_price' }),
    released_date: z.string().nullable().meta({ description: 'YYYY-MM-DD' }),
    cpp: figure('price per floating-point operation: retail_price / (fp16 in FLOP/s)'),
    ppw: figure('performance per watt: fp16 / tdp'),
    architecture,
  })
  .meta({ id: 'GpuSpecification' });
export type GpuSpecification = z.infer<typeof gpuSpecification>;

export const textColumns = ['name', 'slug', 'bus', 'manufacturer', 'chip', 'architecture'] as const;
export const figureColumns = [
  'mem',
  'mem_bus',
  'bandwidth',
  'fp16',
  'tdp',
  'msrp',
  'retail_price',
  'rental_price',
  'cpp',
  'ppw',
] as const;
const columns = [...textColumns, ...figureColumns] as const;
export type SpecificationColumn = (typeof columns)[number];

const NUMBER = String.raw`\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?`;
/** 'low-high' of two plain or scientific numbers, or one number. */
export const rangePattern = new RegExp(`^\\s*(${NUMBER})\\s*(?:-\\s*(${NUMBER})\\s*)?$`);

const isFigureColumn = (column: string): boolean => (figureColumns as readonly string[]).includes(column);

const filter = singleKeyed(columns, z.union([z.number(), text(200)])).superRefine((entries, context) => {
  for (const [at, entry] of entries.entries()) {
    for (const [column, value] of Object.entries(entry)) {
      const isWrong = isFigureColumn(column)
        ? typeof value === 'string' && !rangePattern.test(value)
        : typeof value !== 'string';
      if (!isWrong) continue;
      const message = isFigureColumn(column) ? "must be a number or a range 'low-high'" : 'must be text';
      context.addIssue({ code: 'custom', path: [at, column], message });
    }
  }
});
const filterDescription =
  "text: a part of the column, upper and lower case are the same; figures: a number or 'low-high'. A repeated key means any of its values, different keys mean all";

export const gpuSpecsRequest = z
  .object({ filter: filter.meta({ description: filterDescription }), order_by: orderBy(columns), paginate })
  .default({ filter: [], order_by: [], paginate: { num_per_page: 50, page_num: 1 } });
export type GpuSpecsRequest = z.output<typeof gpuSpecsRequest>;

const listedGpu = gpuSpecification
  .pick({ id: true, slug: true, name: true, manufacturer: true, chip: true, mem: true })
  .meta({ id: 'ListedGpu' });

/** Success and errors in the envelope, validation in `detail`. */
const common = { ...access.data, ...speaks('envelope', 'GPU catalogue'), 'x-validation-dialect': 'detail' } as const;
const failures = {
  401: json(envelopeErrorBody, 'No valid credential'),
  403: json(envelopeErrorBody, 'The credential does not open this'),
  429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
};

export const gpuListRoute = createRoute({
  ...common,
  'x-choice': true,
  operationId: 'gpu_list',
  summary: 'All accelerators of the catalogue',
  method: 'get',
  path: '/api/gpu-navigator/gpu-list',
  responses: { ...failures, 200: json(envelopeOf(resultsOf(listedGpu)), 'By name') },
});

export const gpuSpecsParamsRoute = createRoute({
  ...common,
  operationId: 'gpu_specs_params',
  summary: 'Manufacturers and chips to filter by',
  method: 'get',
  path: '/api/gpu-navigator/gpu-specs/params',
  responses: {
    ...failures,
    200: json(
      envelopeOf(z.object({ manufacturer_list: z.array(z.string()), chip_list: z.array(z.string()) })),
      'Each once, sorted',
    ),
  },
});

export const gpuSpecsRoute = createRoute({
  ...common,
  operationId: 'gpu_specs',
  'x-body-limit': bodyLimit.query,
  summary: 'Specifications, filtered, sorted, in pages; by retail price, the highest first, unless told otherwise',
  method: 'post',
  path: '/api/gpu-navigator/gpu-specs',
  request: jsonBody(gpuSpecsRequest, false),
  responses: {
    ...failures,
    200: json(envelopeOf(resultsOf(gpuSpecification)), 'One page; without the figure sorted by come last'),
    422: json(detailBody, 'A field is wrong'),
  },
});
