/**
 * Announcement 260707-1 renamed the prices of the market pulse and added medians, effective 2026-07-21; history is not
 * rewritten. In answers and in files, the names that a row has follow from its own date.
 */
export const PULSE_CHANGED_ON = '2026-07-21';

type PulseSchema = 'first' | '260707-1';

/** The price columns of each schema, in their order. */
export const pulsePrices = {
  first: ['price_input', 'price_output'],
  '260707-1': ['avg_price_input', 'avg_price_output', 'med_price_input', 'med_price_output'],
} as const satisfies Record<PulseSchema, readonly string[]>;

/** The schema in force on a day. */
export const pulseSchemaOn = (day: string): PulseSchema => (day < PULSE_CHANGED_ON ? 'first' : '260707-1');

/** The schemas in force on any day of the period: both in July 2026. */
export const pulseSchemasOf = ({ firstDay, lastDay }: { firstDay: string; lastDay: string }): PulseSchema[] => [
  ...new Set([pulseSchemaOn(firstDay), pulseSchemaOn(lastDay)]),
];
