import { createRoute, z } from '@hono/zod-openapi';
import { access, needs } from './access.ts';
import { bodyLimit } from './body-limit.ts';
import {
  batchCarbon,
  batchCarbonRequest,
  countryCodeQuery,
  countryQuery,
  countryRecord,
  gpuCarbon,
  gpuCarbonRequest,
  gpuProviderCarbon,
  gpuProviderCarbonRequest,
  noProviderCodes,
  providerCodes,
  providerList,
  providerPath,
  providersWithCodes,
  zoneEmission,
  zoneRequest,
} from './carbon.ts';
import { envelopeErrorBody, envelopeOf } from './errors.ts';
import { json, jsonBody, speaks } from './operation.ts';

const common = {
  ...access.data,
  ...needs({ subscription: true }),
  ...speaks('envelope', 'Carbon'),
} as const;
const choice = { ...common, 'x-choice': true } as const;
const answers = <T extends z.ZodType>(data: T, description: string) => ({
  200: json(envelopeOf(data), description),
  401: json(envelopeErrorBody, 'No valid credential'),
  403: json(envelopeErrorBody, 'No active subscription: code 34001'),
  422: json(envelopeErrorBody, 'A field is wrong; the message begins "Parameter value error: "'),
  500: json(envelopeErrorBody, 'Code 34003: no data for the region; code -1: another refusal, named in the message'),
});

const base = '/api/data-hub/carbon';

export const gpuCarbonRoute = createRoute({
  ...common,
  operationId: 'gpu_carbon_intensity',
  summary: 'What a GPU emits in so many hours at a post code',
  method: 'get',
  path: `${base}/gpu-carbon-intensity`,
  request: { query: gpuCarbonRequest },
  responses: answers(gpuCarbon, 'g CO2e at board power'),
});

export const gpuCarbonPostRoute = createRoute({
  ...common,
  operationId: 'gpu_carbon_intensity_post',
  'x-body-limit': bodyLimit.small,
  summary: 'The same, its fields in a body',
  method: 'post',
  path: `${base}/gpu-carbon-intensity`,
  request: jsonBody(gpuCarbonRequest),
  responses: answers(gpuCarbon, 'g CO2e at board power'),
});

export const zoneEmissionRoute = createRoute({
  ...common,
  operationId: 'zone_emission_rate',
  summary: 'The factor of a post code, with the table that it comes from',
  method: 'get',
  path: `${base}/zone-emission-rate`,
  request: { query: zoneRequest },
  responses: answers(zoneEmission, 'The factor; null if nothing is published for the place'),
});

export const gpuProviderCarbonRoute = createRoute({
  ...common,
  operationId: 'gpu_carbon_provider_intensity',
  summary: 'What a GPU emits in so many hours in a provider’s region',
  method: 'get',
  path: `${base}/gpu-carbon-provider-intensity`,
  request: { query: gpuProviderCarbonRequest },
  responses: answers(gpuProviderCarbon, 'g CO2e at board power'),
});

export const batchCarbonRoute = createRoute({
  ...common,
  operationId: 'batch_gpu_carbon_intensity',
  'x-body-limit': bodyLimit.form,
  summary: 'At most 50 GPUs and post codes at once',
  method: 'post',
  path: `${base}/batch/gpu-carbon-intensity`,
  request: jsonBody(batchCarbonRequest),
  responses: answers(batchCarbon, 'In the order of the request; null in what is not found'),
});

export const countryRoute = createRoute({
  ...choice,
  operationId: 'carbon_country',
  summary: 'Countries by the beginning of their name',
  method: 'get',
  path: `${base}/country`,
  request: { query: countryQuery },
  responses: answers(z.array(countryRecord), 'By name'),
});

export const defaultZipcodeRoute = createRoute({
  ...common,
  operationId: 'carbon_default_zipcode',
  summary: 'A post code that stands for a country',
  method: 'get',
  path: `${base}/default-zipcode`,
  request: { query: countryCodeQuery },
  responses: answers(z.string(), 'Empty for countries that have no post codes'),
});

export const providersRoute = createRoute({
  ...choice,
  operationId: 'carbon_providers',
  summary: 'Providers with regions',
  method: 'get',
  path: `${base}/providers/`,
  responses: answers(providerList, 'By id'),
});

export const providerCodesRoute = createRoute({
  ...choice,
  operationId: 'carbon_provider_codes',
  summary: 'Regions of a provider',
  method: 'get',
  path: `${base}/providers/{provider}/codes`,
  request: { params: providerPath },
  responses: answers(z.union([providerCodes, noProviderCodes]), 'Both null if there is no such provider'),
});

export const providerSelectionRoute = createRoute({
  ...choice,
  operationId: 'carbon_provider_selection_codes',
  summary: 'Regions of one of the large providers',
  method: 'get',
  path: `${base}/providers_selection/{provider}/codes`,
  request: { params: providerPath },
  responses: answers(z.union([providerCodes, z.null()]), 'null for other providers'),
});

export const providersWithCodesRoute = createRoute({
  ...choice,
  operationId: 'carbon_providers_with_codes',
  summary: 'All providers, each with its regions',
  method: 'get',
  path: `${base}/providers_with_codes/`,
  responses: answers(providersWithCodes, 'By id'),
});
