import { Command } from 'commander';
import { z } from 'zod';
import { allCarbonConnectors, allTokenConnectors } from '../ingest/carbon-and-token-connectors.ts';
import type { CarbonConnector } from '../ingest/carbon/carbon-connector.ts';
import { ingestCarbon } from '../ingest/carbon/ingest-carbon.ts';
import { allConnectors } from '../ingest/connectors/all-connectors.ts';
import type { Connector } from '../ingest/connector.ts';
import { ecbRates, ingestRates } from '../ingest/ecb-rates.ts';
import { ingestSource, type SourceReport } from '../ingest/ingest-source.ts';
import type { OnProgress } from '../ingest/reading/open-source.ts';
import { isInFuture } from '../ingest/observe.ts';
import { withoutSecrets } from '../ingest/reading/source-error.ts';
import { explainPrice, productToExplain } from '../market/explain-price.ts';
import { countNotCounted } from '../market/report-day.ts';
import { ingestTokens } from '../ingest/tokens/ingest-tokens.ts';
import type { TokenConnector } from '../ingest/tokens/token-connector.ts';
import { selectUnmatched } from '../platform/readings/queries.ts';
import type { Context } from '../platform/context.ts';
import { describeExplanation } from './describe-explanation.ts';
import {
  describeCarbon,
  describeConnectors,
  describeIngest,
  describeNotCounted,
  describeRates,
  describeTokens,
  describeUnmatched,
} from './describe-ingest.ts';
import type { Edges } from './edges.ts';
import { runsCommand, undoCommand } from './ingest-run-commands.ts';
import { acceptCommand, repriceCommand, rulingsCommand, withdrawCommand } from './pricing-commands.ts';
import { progressLine } from './progress-line.ts';
import { seriesCommand } from './series-command.ts';
import { withMarket } from './open-platform.ts';

const day = z.iso.date('must be YYYY-MM-DD');
const areas = ['market', 'tokens'] as const;
type Area = (typeof areas)[number];
const options = z.object({
  asOf: day.optional(),
  provider: z.string().min(1).max(60).optional(),
  again: z.boolean().default(false),
  acceptCoverageDrop: z.boolean().default(false),
  unitChangedOn: z.array(day).default([]),
  allowPrivateAddresses: z.boolean().default(false),
  list: z.boolean().default(false),
  unmatched: z.union([z.boolean(), z.enum(areas)], 'must be market or tokens').default(false),
});

/**
 * `ingest <source> <file-or-url...>`, `ingest --list`, `ingest --unmatched`, `ingest explain <product> <day>`, `ingest series`,
 * `ingest runs`, `ingest undo <run>`, `ingest accept`, `ingest rulings`, `ingest withdraw <ruling>`, `ingest reprice`.
 */
export const ingestCommand = (edges: Edges): Command =>
  new Command('ingest')
    .description('Reads published prices, token prices and carbon data: each file whole or not at all')
    .argument('[source]', 'what format it is in; --list shows them')
    .argument(
      '[files...]',
      'files or URLs; without one, the address the source publishes at; zones of a source that is asked with a key',
    )
    .option(
      '--as-of <day>',
      'the day the prices are of, if the file does not say it; of carbon data, its publication (YYYY-MM-DD)',
    )
    .option('--provider <name>', 'whose prices they are, if the file does not say it')
    .option('--again', 'read a file that was read before again: labels may match now')
    .option(
      '--accept-coverage-drop',
      'also a file with over 20 % less of anything than its source had (rows, products, models, regions): the source did shrink',
    )
    .option(
      '--unit-changed-on <day>',
      'a day on which most prices of the source did move by such a factor, or changed their unit (YYYY-MM-DD); can be repeated',
      (stated: string, before: string[]) => [...before, stated],
      [],
    )
    .option('--allow-private-addresses', 'a URL may lead to this machine or a private network')
    .option('--list', 'the sources that can be read')
    .option('--unmatched [area]', 'labels that no product, provider or model has; of market or tokens alone')
    .action(async (source: string | undefined, files: string[], given: unknown) => {
      const wanted = parse(given, edges.now());
      if (wanted.list) edges.stdout.write(describeConnectors(allConnectors, allTokenConnectors, allCarbonConnectors));
      else if (wanted.unmatched !== false)
        await showUnmatched(edges, wanted.unmatched === true ? null : wanted.unmatched);
      else await ingest(edges, source, files, wanted);
    })
    .addCommand(explainCommand(edges))
    .addCommand(seriesCommand(edges))
    .addCommand(runsCommand(edges))
    .addCommand(undoCommand(edges))
    .addCommand(acceptCommand(edges))
    .addCommand(rulingsCommand(edges))
    .addCommand(withdrawCommand(edges))
    .addCommand(repriceCommand(edges));

/** A marketplace has some thousand offers a day; further rows can be read through the API. */
const MOST_ROWS = 10_000;

const explainCommand = (edges: Edges): Command =>
  new Command('explain')
    .description('The observations behind a product’s prices of a day')
    .argument('<product>', 'slug or id')
    .argument('<day>', 'YYYY-MM-DD')
    .action(async (product: string, on: string) => {
      const date = day.safeParse(on).data;
      if (date === undefined) throw new Error('The day must be YYYY-MM-DD.');
      await withMarket(edges, async ({ sql }) => {
        const found = await productToExplain(sql, product);
        const asked = { productId: found.product_id, day: date, priceType: null, country: null };
        const explained = await explainPrice(sql, asked, { limit: MOST_ROWS, offset: 0 });
        edges.stdout.write(describeExplanation(date, found, explained));
      });
    });

const showUnmatched = (edges: Edges, area: Area | null): Promise<void> =>
  withMarket(edges, async (context) => {
    const rows = await selectUnmatched(context.sql);
    const ofArea = rows.filter(({ source }) => area === null || tokenNames.has(source) === (area === 'tokens'));
    edges.stdout.write(describeUnmatched(ofArea));
  });

type Source = Connector | TokenConnector | CarbonConnector | typeof ecbRates;

const allSources: readonly Source[] = [...allConnectors, ecbRates, ...allTokenConnectors, ...allCarbonConnectors];
const tokenNames: ReadonlySet<string> = new Set(allTokenConnectors.map(({ name }) => name));
const isOfTokens = (source: Source): source is TokenConnector => tokenNames.has(source.name);
const carbonNames: ReadonlySet<string> = new Set(allCarbonConnectors.map(({ name }) => name));
const isCarbon = (source: Source): source is CarbonConnector => carbonNames.has(source.name);

async function ingest(
  edges: Edges,
  source: string | undefined,
  files: readonly string[],
  wanted: z.output<typeof options>,
): Promise<void> {
  const connector = allSources.find(({ name }) => name === source);
  if (!connector) {
    const known = allSources.map(({ name }) => name).join(', ');
    throw new Error(
      source === undefined ? `Name a source: ${known}.` : `There is no source ${source}. Known: ${known}.`,
    );
  }
  if (wanted.provider !== undefined && !('providerIn' in connector))
    throw new Error(`--provider: the files of ${connector.name} name the provider themselves; leave the option out.`);
  if (wanted.unitChangedOn.length > 0 && !allConnectors.some((one) => one === connector))
    throw new Error(
      `--unit-changed-on: it is for sources of rental and retail prices; leave it out for ${connector.name}.`,
    );
  const places = files.length > 0 ? files : [addressOf(connector, wanted.provider)];
  const key = keyFor(edges, connector);
  await withMarket(edges, async (context) => {
    for (const named of places) {
      const place = placeOf(connector, named);
      const progress = progressLine(edges, withoutSecrets(place));
      try {
        for await (const line of read(context, connector, { ...wanted, place, key }, progress.show)) {
          progress.clear();
          edges.stdout.write(line);
        }
      } finally {
        progress.clear();
      }
    }
  });
}

/** Reads one place with its connector; yields text for the operator. */
function read(
  context: Context,
  connector: Source,
  { place, key, asOf = null, provider = null, again, acceptCoverageDrop, unitChangedOn, allowPrivateAddresses }: Wanted,
  onProgress: OnProgress,
): AsyncIterable<string> {
  if (isCarbon(connector)) {
    const carbon = { connector, place, publishedOn: asOf, key, acceptCoverageDrop, allowPrivateAddresses };
    return described(ingestCarbon(context, carbon, onProgress), describeCarbon);
  }
  if (isOfTokens(connector)) {
    const tokens = { connector, place, asOf, again, acceptCoverageDrop, allowPrivateAddresses };
    return described(ingestTokens(context, tokens, onProgress), describeTokens);
  }
  if (!('read' in connector))
    return described(ingestRates(context, { place, allowPrivateAddresses }, onProgress), describeRates);
  const prices = { connector, place, asOf, provider, again, acceptCoverageDrop, unitChangedOn, allowPrivateAddresses };
  return describedPrices(context, ingestSource(context, prices, onProgress));
}

/** The outcome of each file, and the uncounted votes of its newest day, which a person may have to review. */
async function* describedPrices(context: Context, reports: AsyncIterable<SourceReport>): AsyncGenerator<string> {
  for await (const report of reports) {
    yield describeIngest(report);
    const day = report.kind === 'stored' ? report.run.days.at(-1) : undefined;
    const uncounted = day === undefined ? '' : describeNotCounted(day, await countNotCounted(context, day));
    if (uncounted !== '') yield uncounted;
  }
}

interface Wanted extends Omit<z.output<typeof options>, 'asOf' | 'provider'> {
  place: string;
  key: string | null;
  asOf?: string | null | undefined;
  provider?: string | null | undefined;
}

/** A source that needs a key is queried by zone; its URL can be named instead. */
const placeOf = (connector: Source, named: string): string =>
  isCarbon(connector) && connector.live && !/^https?:/i.test(named) ? connector.live.addressOf(named) : named;

function keyFor({ environment }: Edges, connector: Source): string | null {
  if (!isCarbon(connector) || !connector.live) return null;
  const key = environment[connector.live.keyIn];
  if (!key) throw new Error(`${connector.name} needs a key: set ${connector.live.keyIn}.`);
  return key;
}

async function* described<T>(reports: AsyncIterable<T>, describe: (report: T) => string): AsyncGenerator<string> {
  for await (const report of reports) yield describe(report);
}

/** The source's own address; throws if the operator must be more specific. */
function addressOf(source: Source, provider: string | undefined): string {
  const { name, url } = source;
  if (isCarbon(source) && source.live) throw new Error(`${name} is asked by zone: name one.`);
  if (url === null) throw new Error(`${name} has no address of its own: name a file or a URL.`);
  if (!url.includes('{provider}')) return url;
  if (provider === undefined)
    throw new Error(`${name} is published by provider: add --provider, or name a file or a URL.`);
  return url.replaceAll('{provider}', encodeURIComponent(provider));
}

function parse(given: unknown, now: Date): z.output<typeof options> {
  const parsed = options.safeParse(given);
  if (parsed.success) {
    const { asOf } = parsed.data;
    if (asOf !== undefined && isInFuture(new Date(asOf), now)) throw new Error(`--as-of: ${asOf} is in the future`);
    const ahead = parsed.data.unitChangedOn.find((on) => isInFuture(new Date(on), now));
    if (ahead !== undefined) throw new Error(`--unit-changed-on: ${ahead} is in the future`);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  throw new Error(
    `--${String(issue?.path[0]).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${issue?.message}`,
  );
}
