const terms = 'on_demand, spot, reserved_1m, _3m, _6m, _1y, _2y, _3y';

/** The columns of our own CSV formats, in the order of a file that has all of them; [column, what it takes]. */
export const ownFormats: Readonly<Record<string, readonly (readonly [column: string, takes: string])[]>> = {
  observations: [
    ['date', 'the day of the price, YYYY-MM-DD'],
    ['provider', 'who rents it out; --unmatched lists unknown names'],
    ['gpu_model', 'the accelerator in your words: H100 SXM, A100 80GB'],
    ['gpu_count', 'accelerators in the machine'],
    ['pricing', `${terms}; or price_type: -1 spot, 0, 1, 3, 6, 12, 24, 36 months`],
    ['usd_per_gpu_hour', 'of one accelerator; or usd_per_hour, of the machine'],
    ['collected_at', 'optional: a time of that day, 2026-05-08T12:00:00Z'],
    ['sku', 'optional: what the offer is called there'],
    ['region', 'optional: the provider’s own code'],
    ['country', 'optional: ISO 3166-1, two letters'],
    ['currency', 'optional: ISO 4217 of the prices, USD if empty; others need ingest ecb-rates'],
    ['cluster_size', 'optional: machines that are let together'],
    ['memory_gb', 'optional: of one accelerator'],
    ['form_factor', 'optional: SXM, PCIe, NVL, OAM'],
  ],
  'retail-csv': [
    ['date', 'the day of the price, YYYY-MM-DD'],
    ['product', 'the card in your words: NVIDIA RTX 4090 24GB'],
    ['condition', 'new, refurbished or used'],
    ['price', 'of one card'],
    ['currency', 'ISO 4217; others than USD need ingest ecb-rates'],
    ['seller', 'who sells it'],
    ['country', 'optional: ISO 3166-1, two letters'],
    ['url', 'optional: where it is offered'],
    ['memory_gb', 'optional'],
  ],
  'token-prices': [
    ['model', 'a label as the seller has it, or developer/name; an offer of it behind a colon'],
    ['seller', 'who sells it'],
    ['price_input', 'USD for a million tokens'],
    ['price_output', 'USD for a million tokens'],
    ['source', 'where the figure is from'],
    ['price_cached_input', 'optional'],
    ['valid_from', 'optional: YYYY-MM-DD'],
    ['valid_to', 'optional: YYYY-MM-DD, that day not included'],
  ],
  'token-models': [
    ['model', 'a label, or developer/name'],
    ['source', 'where the facts are from'],
    ['name', 'optional'],
    ['model_type', 'optional: open-source, open-weight, closed-source'],
    ['total_param', 'optional: billions'],
    ['active_param', 'optional: billions'],
    ['context_length', 'optional: tokens'],
    ['open_weights', 'optional: true or false'],
    ['deprecated', 'optional: true or false'],
    ['expires_on', 'optional: YYYY-MM-DD'],
  ],
  'carbon-factors': [
    ['zone', 'the publisher’s id, or provider:region'],
    ['valid_from', 'a day or an instant'],
    ['valid_to', 'a day or an instant, not included'],
    ['g_per_kwh', 'g CO2e for a kWh'],
    ['basis', 'direct or lifecycle'],
    ['kind', 'average or marginal'],
    ['source', 'shown with the figure'],
    ['licence', 'shown with the figure'],
    ['name', 'optional'],
    ['country_code', 'optional: ISO 3166-1, two letters; empty for several'],
    ['source_year', 'optional'],
  ],
};

/** What `ingest <source> --help` says about the file, if the format is our own. */
export function formatHelp(source: string | undefined): string {
  const columns = source === undefined ? undefined : ownFormats[source];
  if (columns === undefined) return '\n`ingest <source> --help` shows the columns of the formats that are ours.';
  const width = Math.max(...columns.map(([column]) => column.length));
  return [
    `\n${source}: CSV in UTF-8 with a header, columns in any order:`,
    ...columns.map(([column, takes]) => `  ${column.padEnd(width)}  ${takes}`),
    'coordinator/ingest/README.md has an example.',
  ].join('\n');
}
