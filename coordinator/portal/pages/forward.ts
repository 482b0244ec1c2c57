import { z } from 'zod';
import { chartWidths } from '../../charts/svg-parts.ts';
import { termLines } from '../../charts/term-lines.ts';
import { forwardBasis } from '../../contract/forward.ts';
import { providerSourceType, providerSourceTypes } from '../../contract/price-type.ts';
import { newestCurve } from '../../forward/explain-curve.ts';
import { invalidField } from '../../platform/errors.ts';
import { chart } from '../components/chart.ts';
import { exampleRows } from '../components/example-rows.ts';
import { dataTable } from '../components/data-table.ts';
import { select } from '../components/field.ts';
import { numbersTable } from '../components/numbers-table.ts';
import { figure, percent, usd } from '../components/numbers.ts';
import { asked, filled } from '../frame/asked.ts';
import { html, named, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import type { PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { listOrReason } from './list-or-reason.ts';
import { productOf, underProduct } from './product-of.ts';

type Curve = NonNullable<Awaited<ReturnType<typeof newestCurve>>>;
/** A point, with the number of providers behind its curve. */
type Point = Curve['points'][number] & { providers: number };

interface CurveListing extends Listing<Point> {
  curve: Curve;
}

const points = tableOf<Point>([
  { name: 'tenor_months', label: 'Months', value: (row) => row.tenor, cell: (row) => figure(row.tenor) },
  {
    name: 'term_rate_usd_per_gpu_hour',
    label: 'Whole contract, USD per GPU hour',
    value: (row) => row.term,
    cell: (row) => usd(row.term),
    isNumber: true,
  },
  {
    name: 'forward_rate_usd_per_gpu_hour',
    label: 'That half month alone, USD per GPU hour',
    value: (row) => row.forward,
    cell: (row) => usd(row.forward),
    isNumber: true,
  },
  { name: 'term_providers', label: 'Providers of this term, n', value: (row) => row.termProviders, isNumber: true },
  { name: 'providers', label: 'Providers of the curve, n', value: (row) => row.providers, isNumber: true },
  { name: 'basis', label: 'Basis', value: (row) => row.basis },
]);

const curveAsked = z.object({ provider_source_type: providerSourceType.optional() });

async function load(visit: Visit): Promise<CurveListing> {
  const { product } = await productOf(visit);
  const { provider_source_type: sellers } = asked(curveAsked, filled(visit.query));
  const curve = await newestCurve(visit.context, { productId: product.product_id, sellers: sellers ?? null });
  if (curve === null)
    throw invalidField(
      'provider_source_type',
      `has no forward curve for ${product.product_slug}: ${sellers === undefined ? 'no provider' : `no ${sellers}`} publishes term rates for it`,
    );
  const providers = curve.providers.length;
  return { ...wholeListing(curve.points.map((point) => ({ ...point, providers }))), curve };
}

async function show(visit: Visit, found: CurveListing | null, reason: Content): Promise<Response> {
  const { product } = await productOf(visit);
  const here = `/market/${product.product_slug}`;
  return page(visit, {
    title: `Forward curve of ${product.name}`,
    ...underProduct(product),
    facts:
      found === null
        ? 'no curve'
        : `${found.curve.provider_source_type}, as of ${found.curve.as_of}, ${providerWords(found.curve.providers.length)}`,
    body: html`<form class="filters" method="get" action="${here}/forward" aria-label="Whose curve">
        ${select({ name: 'provider_source_type', label: 'Kind of provider', value: visit.query.get('provider_source_type'), options: [{ value: '', label: 'the one with the most providers' }, ...providerSourceTypes.map((value) => ({ value, label: value }))] })}
        <div class="acts"><button class="main">Show</button></div>
      </form>
      ${reason}${
        found === null
          ? null
          : html`${curveChart(found)}${dataTable(visit, { caption: 'Rates without upfront by whole months from the day of the curve', table: points, listing: wholeListing(found.rows.filter(({ tenor }) => Number.isInteger(tenor))), filesHaveAll: true, shape: 'scroll', ifEmpty: null })}
              <section>
                <h2>What it is based on</h2>
                <p>
                  Providers: ${named(found.curve.providers.join(', '))}.
                  ${found.curve.flags.length === 0 ? null : `To be known: ${found.curve.flags.join('; ')}.`}
                </p>
                <p>${forwardBasis.meta()?.description ?? ''}</p>
                <p>
                  Providers of a term are those who publish it or whose ratio fills it; between two terms the smaller
                  count of both.
                </p>
              </section>`
      }`,
  });
}

const providerWords = (count: number): string => `${count} ${count === 1 ? 'provider' : 'providers'}`;

function curveChart({ rows: all }: CurveListing): Content {
  const [now, end] = [all[0], all.at(-1)];
  if (now === undefined || end === undefined || end.tenor === 0) return null;
  const svg = (width: number): string => termLines(all, width);
  return chart({
    title: `A contract of ${figure(end.tenor)} months costs ${usd(end.term)} USD per GPU hour, ${percent(end.term / now.term - 1)} compared with on demand, n ${providerWords(now.providers)}, ${end.termProviders} of that term`,
    svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
    caption:
      'The curve is based on the points: filled ones are observed, hollow ones are from a published ratio, triangles are capped so that a longer contract never costs less in total. The lines between them are interpolated.',
    table: numbersTable(
      'Both lines, by every quarter of a month',
      [
        'Months',
        'Contract, USD per GPU hour',
        'That half month, USD per GPU hour',
        'Providers of this term, n',
        ' Basis',
      ],
      all.map((row) => [figure(row.tenor), usd(row.term), usd(row.forward), row.termProviders, row.basis]),
    ),
  });
}

export const forwardPages: readonly PageRoute[] = listOrReason(
  '/market/:slug/forward',
  {
    who: 'member',
    product: 'gpu-forward',
    holds: 'What a GPU costs by the hour under contracts of 0 to 36 months',
    example: exampleRows(points, [
      { tenor: 0, term: 1, forward: 1, basis: 'observed', termProviders: 3, providers: 3 },
      { tenor: 12, term: 0.8, forward: 0.7, basis: 'observed', termProviders: 2, providers: 3 },
    ]),
  },
  { table: points, load, show },
);
