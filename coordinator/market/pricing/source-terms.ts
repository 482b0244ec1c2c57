/** What a source is to a price: whom to believe where two tell of the same offer, and how long a quote of it holds. */
interface SourceTerms {
  /** days from its own on which a quote is taken for the index */
  validDays: number;
}

/** A price list stands until it changes; what is read weekly at least is still it. */
const PRICE_LIST = 7;
/** What is let is gone. */
const MARKETPLACE = 1;
/** Tables that people edit, some weeks apart. */
const EDITED = 30;

/**
 * Sources in the order of trust, best first: what a provider publishes itself; what an operator imports by hand; catalogues
 * that are collected from providers by program; what third parties compute of them; tables that people keep.
 */
const inOrderOfTrust: readonly (readonly [source: string, SourceTerms])[] = [
  ['aws-pricing-page', { validDays: PRICE_LIST }],
  ['azure-retail', { validDays: PRICE_LIST }],
  ['runpod-gpu-types', { validDays: PRICE_LIST }],
  ['vast-bundles', { validDays: MARKETPLACE }],
  ['ec2instances', { validDays: PRICE_LIST }],
  ['observations', { validDays: PRICE_LIST }],
  ['gpuhunt', { validDays: PRICE_LIST }],
  ['gpuhunt-tpu', { validDays: PRICE_LIST }],
  ['skypilot', { validDays: PRICE_LIST }],
  ['retail-csv', { validDays: PRICE_LIST }],
  ['pc-part', { validDays: EDITED }],
  ['amazon-buybox', { validDays: PRICE_LIST }],
  ['ebay-sold', { validDays: EDITED }],
  ['neocloud-daily', { validDays: PRICE_LIST }],
  ['cheapest-by-provider', { validDays: PRICE_LIST }],
  ['prime-intellect', { validDays: MARKETPLACE }],
  ['aggregator', { validDays: PRICE_LIST }],
  ['fsdl-cloud', { validDays: EDITED }],
  ['fsdl-serverless', { validDays: EDITED }],
];

const terms = new Map(inOrderOfTrust.map(([source, { validDays }], rank) => [source, { validDays, rank }]));

/** `rank` 0 is trusted most; a source that is not in the table comes last, and its quotes hold for their day. */
export const termsOf = (source: string): { validDays: number; rank: number } =>
  terms.get(source) ?? { validDays: MARKETPLACE, rank: inOrderOfTrust.length };
