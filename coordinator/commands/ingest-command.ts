import { Command } from 'commander';
import { z } from 'zod';
import { allConnectors } from '../ingest/connectors/all-connectors.ts';
import type { Connector } from '../ingest/connector.ts';
import { ecbRates, ingestRates } from '../ingest/ecb-rates.ts';
import { ingestSource } from '../ingest/ingest-source.ts';
import { liesAhead } from '../ingest/observe.ts';
import { withoutSecrets } from '../ingest/reading/source-error.ts';
import { explainPrice } from '../market/explain-price.ts';
import { listUnmatched } from '../market/list-unmatched.ts';
import { describeExplanation } from './describe-explanation.ts';
import { describeConnectors, describeIngest, describeRates, describeUnmatched } from './describe-ingest.ts';
import type { Edges } from './edges.ts';
import { progressLine } from './progress-line.ts';
import { withMarket } from './with-market.ts';

const day = z.iso.date('must be YYYY-MM-DD');
const options = z.object({
  asOf: day.optional(),
  provider: z.string().min(1).max(60).optional(),
  again: z.boolean().default(false),
  allowPrivateAddresses: z.boolean().default(false),
  list: z.boolean().default(false),
  unmatched: z.boolean().default(false),
});

/** `ingest <source> <file-or-url...>`, `ingest --list`, `ingest --unmatched`, `ingest explain <product> <day>`. */
export const ingestCommand = (edges: Edges): Command =>
  new Command('ingest')
    .description('Reads published prices into the market: each file whole or not at all')
    .argument('[source]', 'what format it is in; --list shows them')
    .argument('[files...]', 'files or URLs; without one, the address the source publishes at')
    .option('--as-of <day>', 'the day the prices are of, where the file does not say it (YYYY-MM-DD)')
    .option('--provider <name>', 'whose prices they are, where the file does not say it')
    .option('--again', 'also a file that was read before: labels may have got a meaning since')
    .option('--allow-private-addresses', 'a URL may lead to this machine or a private network')
    .option('--list', 'the sources that can be read')
    .option('--unmatched', 'labels that no product or provider has')
    .action(async (source: string | undefined, files: string[], given: unknown) => {
      const wanted = parse(given, edges.now());
      if (wanted.list) edges.stdout.write(describeConnectors(allConnectors));
      else if (wanted.unmatched) await showUnmatched(edges);
      else await ingest(edges, source, files, wanted);
    })
    .addCommand(explainCommand(edges));

const explainCommand = (edges: Edges): Command =>
  new Command('explain')
    .description('The observations behind a product’s prices of a day')
    .argument('<product>', 'slug or id')
    .argument('<day>', 'YYYY-MM-DD')
    .action(async (product: string, on: string) => {
      const date = day.safeParse(on).data;
      if (date === undefined) throw new Error('The day must be YYYY-MM-DD.');
      await withMarket(edges, async (context) => {
        edges.stdout.write(describeExplanation(date, await explainPrice(context, product, date)));
      });
    });

const showUnmatched = (edges: Edges): Promise<void> =>
  withMarket(edges, async (context) => void edges.stdout.write(describeUnmatched(await listUnmatched(context))));

async function ingest(
  edges: Edges,
  source: string | undefined,
  files: readonly string[],
  { asOf, provider, again, allowPrivateAddresses }: z.output<typeof options>,
): Promise<void> {
  const connector = source === ecbRates.name ? ecbRates : allConnectors.find(({ name }) => name === source);
  if (!connector) {
    const known = [...allConnectors, ecbRates].map(({ name }) => name).join(', ');
    throw new Error(
      source === undefined ? `Name a source: ${known}.` : `There is no source ${source}. Known: ${known}.`,
    );
  }
  if (provider !== undefined && !('providerIn' in connector))
    throw new Error(`--provider: ${connector.name} says itself whose prices it holds.`);
  const places = files.length > 0 ? files : [addressOf(connector, provider)];
  await withMarket(edges, async (context) => {
    for (const place of places) {
      const progress = progressLine(edges, withoutSecrets(place));
      const lines =
        'read' in connector
          ? described(
              ingestSource(
                context,
                { connector, place, asOf: asOf ?? null, provider: provider ?? null, again, allowPrivateAddresses },
                progress.show,
              ),
              describeIngest,
            )
          : described(ingestRates(context, { place, allowPrivateAddresses }, progress.show), describeRates);
      try {
        for await (const line of lines) {
          progress.clear();
          edges.stdout.write(line);
        }
      } finally {
        progress.clear();
      }
    }
  });
}

async function* described<T>(reports: AsyncIterable<T>, describe: (report: T) => string): AsyncGenerator<string> {
  for await (const report of reports) yield describe(report);
}

/** Where the source publishes; throws where the operator has to say more. */
function addressOf({ name, url }: Pick<Connector, 'name' | 'url'>, provider: string | undefined): string {
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
    if (asOf !== undefined && liesAhead(new Date(asOf), now)) throw new Error(`--as-of: ${asOf} lies ahead`);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  throw new Error(`--${String(issue?.path[0]).replace('asOf', 'as-of')}: ${issue?.message}`);
}
