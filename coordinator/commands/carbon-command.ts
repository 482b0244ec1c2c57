import { Command } from 'commander';
import { ensureCarbon } from '../carbon/store-editions.ts';
import { explainCarbon, type CarbonExplanation, type Place } from '../carbon/explain-carbon.ts';
import { hotCarbon } from '../carbon/hot-carbon.ts';
import { systemContext } from '../platform/context.ts';
import type { Edges } from './edges.ts';
import { openPlatform } from './open-platform.ts';

type StoredFactor = CarbonExplanation['others'][number];

interface Options {
  zip?: string;
  country?: string;
  provider?: string;
  code?: string;
}

/** `carbon explain --zip 94105 --country US`, `carbon explain --provider aws --code us-east-1`. */
export const carbonCommand = (edges: Edges): Command =>
  new Command('carbon').description('What a kWh emits, and why we say so').addCommand(
    new Command('explain')
      .description('The whole chain from a place to its factor: zone, row of the published table, units, licence')
      .option('--zip <code>', 'post code, with --country')
      .option('--country <code>', 'two letters (ISO 3166-1)')
      .option('--provider <name>', 'a provider, with --code')
      .option('--code <code>', 'code of the provider’s region')
      .action(async (options: Options) => {
        const place = placeOf(options);
        const { platform, close } = await openPlatform(edges, { applicationName: 'gpumark carbon', max: 2 });
        try {
          await ensureCarbon(systemContext(platform, 'command'));
          const explained = explainCarbon(await hotCarbon(platform)(), place, edges.now());
          if (!explained) throw new Error(`There is no region ${options.code} of ${options.provider}.`);
          edges.stdout.write(describe(explained));
        } finally {
          await close();
        }
      }),
  );

function placeOf({ zip, country, provider, code }: Options): Place {
  if (country !== undefined) {
    if (!/^[A-Za-z]{2}$/.test(country)) throw new Error('--country must be two letters (ISO 3166-1).');
    return { zipcode: zip ?? '', country_code: country.toUpperCase() };
  }
  if (provider !== undefined && code !== undefined) return { provider, code };
  throw new Error('Say where: --zip and --country, or --provider and --code.');
}

function describe({ place, answer, others }: CarbonExplanation): string {
  if (!answer) return [place, 'No published factor applies to it.', ...otherLines(others), ''].join('\n');
  const { zone, zoneName, rule, others: zones, factor } = answer;
  const rows: [string, string][] = [
    ['place', place],
    ['zone', `${zone}, ${zoneName}`],
    ['by', rule],
    ...(zones.length > 0 ? ([['also of', zones.join(', ')]] as [string, string][]) : []),
    ['row', factor.source_row],
    ['rate', `${factor.g_per_kwh} g CO2e/kWh, ${factor.basis}, ${factor.kind}`],
    ['unit', unitOf(factor)],
    ['source', `${factor.title}, ${factor.scope}${factor.published_on ? `, published ${factor.published_on}` : ''}`],
    ['loaded', `${factor.loaded_at.toISOString().slice(0, 19)}Z from ${factor.origin}`],
    ['licence', `${factor.licence}; credit: ${factor.credit}`],
  ];
  const lines = rows.map(([name, text]) => `${name.padEnd(8)} ${text}`);
  return [...lines, ...otherLines(others), ''].join('\n');
}

/** Most lines shown: an hourly table has thousands of factors. */
const MOST_OTHERS = 50;

function otherLines(others: readonly StoredFactor[]): string[] {
  if (others.length === 0) return [];
  const lines = others.slice(0, MOST_OTHERS).map((other) => {
    const year = String(other.source_year ?? '-').padEnd(5);
    return `  ${year}${other.g_per_kwh.toFixed(1).padStart(8)}  ${other.basis}, ${other.kind}; ${other.zone}; ${other.title}`;
  });
  const more = others.length > MOST_OTHERS ? [`  and ${others.length - MOST_OTHERS} more`] : [];
  return ['', 'Other factors of the place, which do not answer:', ...lines, ...more];
}

const unitOf = ({ source_row }: StoredFactor): string =>
  source_row.includes('lb/MWh') ? 'lb/MWh x 453.59237 g / 1000 kWh' : 'g CO2e/kWh as published';
