import { gpuCarbonRequest, gpuProviderCarbonRequest } from '../../contract/carbon.ts';
import { gpuCarbonIntensity, gpuProviderCarbonIntensity } from '../../carbon/gpu-carbon-intensity.ts';
import { hotCarbon, type HotCarbon } from '../../carbon/hot-carbon.ts';
import { listProviders, listProvidersWithCodes } from '../../carbon/providers.ts';
import { zoneEmissionRate } from '../../carbon/zone-emission-rate.ts';
import { hotMarket } from '../../market/hot-market.ts';
import { dataTable, hrefWith } from '../components/data-table.ts';
import { field, select } from '../components/field.ts';
import { empty, note } from '../components/note.ts';
import { figureCards } from '../components/figure-card.ts';
import { time } from '../components/time.ts';
import { figure } from '../components/numbers.ts';
import { attempt } from '../frame/attempt.ts';
import { asked, filled } from '../frame/asked.ts';
import { html, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

const HERE = '/carbon';
const DEFAULT_GPU = 'nvidia-h100-sxm-80gb';

/** Emissions of a GPU in each region of a provider, for the same hours. */
interface RegionRow {
  provider: string;
  provider_code: string;
  name: string;
  country_code: string;
  region: string;
  g_per_kwh: number | null;
  kg: number | null;
  updated: string | null;
}

const regions = tableOf<RegionRow>([
  { name: 'provider_code', label: 'Region', value: (row) => row.provider_code },
  { name: 'provider', label: 'Provider', value: (row) => row.provider },
  { name: 'region_name', label: 'Name', value: (row) => row.name },
  { name: 'country_code', label: 'Country', value: (row) => row.country_code },
  { name: 'carbon_region_code', label: 'Grid', value: (row) => row.region },
  {
    name: 'carbon_emission_rate_g_per_kwh',
    label: 'Rate, g CO2e per kWh',
    value: (row) => row.g_per_kwh,
    cell: (row) => figure(row.g_per_kwh),
    isNumber: true,
  },
  // A factor is one row of one published table.
  { name: 'factors', label: 'Factors', value: (row) => (row.g_per_kwh === null ? null : 1), isHidden: true },
  {
    name: 'carbon_kg',
    label: 'This use, kg CO2e',
    value: (row) => row.kg,
    cell: (row) => figure(row.kg),
    isNumber: true,
  },
  {
    name: 'carbon_data_updated_time',
    label: 'Data of',
    value: (row) => row.updated,
    cell: (row) => (row.updated === null ? '–' : time(row.updated)),
  },
]);

const asksFor = (query: URLSearchParams) => ({
  gpu_slug: query.get('gpu_slug') || DEFAULT_GPU,
  hours_used: query.get('hours_used') || '1',
});

async function load({ context, query }: Visit): Promise<Listing<RegionRow>> {
  const known = { market: await hotMarket(context)(), carbon: await hotCarbon(context)(), at: context.now() };
  const { providers } = listProvidersWithCodes(known.carbon);
  const wanted = query.get('provider') || providers[0]?.provider;
  const only = query.get('provider_code')?.trim() ?? '';
  const rows: RegionRow[] = [];
  for (const { provider, codes } of providers.filter((one) => one.provider === wanted)) {
    for (const code of codes.filter((one) => only === '' || one.code === only)) {
      const request = asked(gpuProviderCarbonRequest, { ...asksFor(query), provider, provider_code: code.code });
      const found = await attempt(async () => gpuProviderCarbonIntensity(known, request));
      const done = 'done' in found ? found.done : null;
      rows.push({
        provider,
        provider_code: code.code,
        name: code.name,
        country_code: code.country_code,
        region: code.carbon_region_code,
        g_per_kwh: done?.carbon_emission_rate ?? null,
        kg: done === null ? null : done.carbonIntensity / 1000,
        updated: done?.carbon_data_updated_time ?? null,
      });
    }
  }
  const cleanest = rows.toSorted((a, b) => (a.g_per_kwh ?? Infinity) - (b.g_per_kwh ?? Infinity));
  return { rows: cleanest, total: rows.length, page: 1, perPage: Math.max(rows.length, 1) };
}

async function atPlace({ context, query }: Visit, carbon: HotCarbon): Promise<Content> {
  const given = filled(query);
  if (given['country_code'] === undefined) return null;
  const market = await hotMarket(context)();
  const found = await attempt(async () => {
    const request = asked(gpuCarbonRequest, {
      ...asksFor(query),
      zipcode: given['zipcode'] ?? '',
      country_code: given['country_code'],
    });
    return {
      emitted: gpuCarbonIntensity({ market, carbon, at: context.now() }, request),
      zone: zoneEmissionRate(carbon, request, context.now()),
    };
  });
  if ('errors' in found)
    return note('warn', 'No figure for this place.', [...found.errors.values()].join('; '), 'alert');
  const { emitted, zone } = found.done;
  const rate = zone.carbon_emission_rate;
  return html`<section>
    <h2>At this place</h2>
    ${figureCards([
      {
        name: 'Emitted',
        value: figure(emitted.carbonIntensity / 1000),
        unit: 'kg CO2e',
        support: `${asksFor(query).hours_used} h at the board power of ${emitted.gpu_tdp} W`,
      },
      {
        name: 'Grid',
        value: figure(emitted.carbon_emission_rate),
        unit: 'g CO2e per kWh',
        support:
          rate === null
            ? ''
            : `${rate.carbon_region_code}, ${rate.emission_factor_type}, ${rate.carbon_emission_rate_type}, n 1 published factor`,
      },
    ])}
    <p>
      ${rate === null ? null : `Source: ${textOf(rate.extra_data?.['source'])}, ${textOf(rate.extra_data?.['source_year'])}. `}Data
      of ${time(emitted.carbon_data_updated_time)}.
    </p>
  </section>`;
}

async function show(visit: Visit, listing: Listing<RegionRow>): Promise<Response> {
  const { context, query } = visit;
  const carbon = await hotCarbon(context)();
  const market = await hotMarket(context)();
  const { gpu_slug, hours_used } = asksFor(query);
  const gpus = [...market.products.values()]
    .filter(({ tdp }) => tdp !== null)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return page(visit, {
    title: 'Carbon',
    nav: 'carbon',
    facts: 'What running one GPU at its board power emits: power in kW × hours × g CO2e per kWh of the grid',
    body: html`<form class="filters" method="get" action="${HERE}" aria-label="Which use, and where">
        ${select({ name: 'gpu_slug', label: 'GPU', value: gpu_slug, options: gpus.map(({ product_slug, name }) => ({ value: product_slug, label: name })) })}
        ${field({ name: 'hours_used', label: 'Hours', value: hours_used, maxlength: 12 })}
        ${field({ name: 'country_code', label: 'Country', value: query.get('country_code'), maxlength: 2, hint: 'two letters, as US' })}
        ${field({ name: 'zipcode', label: 'Post code', value: query.get('zipcode'), maxlength: 20, hint: 'empty for countries without' })}
        ${select({ name: 'provider', label: 'Regions of', value: query.get('provider'), options: listProviders(carbon).providers.map(({ provider, name }) => ({ value: provider, label: name })) })}
        ${field({ name: 'provider_code', label: 'Region', value: query.get('provider_code'), maxlength: 60, hint: 'its code; empty: all' })}
        <div class="acts"><button class="main">Calculate</button></div>
      </form>
      ${await atPlace(visit, carbon)}
      ${dataTable(visit, {
        caption: 'The same use in each region, the cleanest first; n 1: each rate is one published factor',
        table: regions,
        listing,
        shape: 'scroll',
        ifEmpty: empty(
          'No provider of this name publishes this region.',
          html`<a href="${hrefWith(visit, { provider_code: null, page: null })}">All regions of this provider</a>, or
            <a href="${HERE}">start again</a>.`,
        ),
      })}`,
  });
}

export const carbonPages: readonly PageRoute[] = list(
  HERE,
  { who: 'member', subscription: true, holds: 'Carbon data' },
  { table: regions, load, show },
);

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
