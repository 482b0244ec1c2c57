import { pulseSchemaOn } from '../contract/pulse-schema.ts';
import type { PulseRow } from '../contract/token-prices.ts';

/** The pulse of a model on a day as it is stored, whichever schema its day has. */
export interface PulseFigures {
  date: string;
  model: string;
  developer: string;
  model_name: string;
  model_type: PulseRow['model_type'];
  model_status: PulseRow['model_status'];
  volume_input_index: number | null;
  volume_output_index: number | null;
  avg_price_input: number | null;
  avg_price_output: number | null;
  med_price_input: number | null;
  med_price_output: number | null;
  is_estimated: boolean;
}

/** In the schema in force on its date. What was called price_input is what is called avg_price_input now. */
export function pulseRowOf(figures: PulseFigures): PulseRow {
  const { date, developer, model_name, model_type, model_status, volume_input_index, volume_output_index } = figures;
  const head = { date, developer, model_name, model_type, model_status, volume_input_index, volume_output_index };
  const { avg_price_input, avg_price_output, med_price_input, med_price_output, is_estimated } = figures;
  return pulseSchemaOn(date) === 'first'
    ? { ...head, price_input: avg_price_input, price_output: avg_price_output, is_estimated }
    : { ...head, avg_price_input, avg_price_output, med_price_input, med_price_output, is_estimated };
}

const storedNames: Record<string, string> = { price_input: 'avg_price_input', price_output: 'avg_price_output' };

/** The stored name of a column, which rows of both schemas have. */
export const storedColumn = (column: string): string => storedNames[column] ?? column;
