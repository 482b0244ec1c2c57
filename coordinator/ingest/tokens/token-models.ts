import { z } from 'zod';
import { modelTypes } from '../../tokens/identity/model-type.ts';
import type { CsvFormat } from '../reading/read-csv.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import { scopeOf } from '../reading/file-names.ts';
import { csvRows } from './csv-rows.ts';
import type { TokenConnector, TokenFile, TokenReading, TokenRow } from './token-connector.ts';

type Column =
  | ('model' | 'name' | 'model_type' | 'total_param' | 'active_param' | 'context_length')
  | ('open_weights' | 'deprecated' | 'expires_on' | 'source');

const format: CsvFormat<Column> = {
  required: ['model', 'source'],
  optional: [
    'name',
    'model_type',
    'total_param',
    'active_param',
    'context_length',
    'open_weights',
    'deprecated',
    'expires_on',
  ],
};

const none = z.literal('').transform(() => null);
const size = z.union([none, z.string().regex(/^(?!0+(\.0*)?$)\d{1,6}(\.\d{1,3})?$/, 'must be billions')]);
const flag = z.enum(['true', 'false', '']);
const cells = z.object({
  model_type: z.union([none, z.enum(modelTypes)]),
  total_param: size,
  active_param: size,
  context_length: z.union([
    none,
    z
      .string()
      .regex(/^[1-9]\d{0,11}$/)
      .transform(Number),
  ]),
  open_weights: flag,
  deprecated: flag,
  expires_on: z.union([none, z.iso.date()]),
});

/**
 * Our own format: what an operator knows about a model, which takes precedence over what is parsed elsewhere. Sizes are in
 * billions; an empty cell states nothing; `source` says where the facts are from.
 */
export const tokenModels: TokenConnector = {
  name: 'token-models',
  title: 'Facts on models as CSV (own format)',
  url: null,
  read: async (file: TokenFile): Promise<TokenReading> => ({
    scope: scopeOf(file.name, null),
    rows: await csvRows(file, format, rowOf),
  }),
};

function rowOf(row: CsvRow<Column>): TokenRow {
  const label = row.cell('model');
  if (label === '') return { row: row.number, refused: 'no-model', detail: '' };
  const said = cells.safeParse(
    Object.fromEntries(Object.keys(cells.shape).map((name) => [name, row.cell(name as Column)])),
  );
  if (!said.success) {
    const [issue] = said.error.issues;
    return { row: row.number, refused: 'bad-cell', detail: `${label}: ${String(issue?.path[0])}` };
  }
  const { model_type, total_param, active_param, context_length, open_weights, deprecated, expires_on } = said.data;
  const hasSize = total_param !== null || active_param !== null;
  return {
    row: row.number,
    label,
    provider: null,
    about: {
      name: row.cell('name') || null,
      description: null,
      contextLength: context_length,
      huggingFaceId: null,
      openWeights: open_weights === '' ? null : open_weights === 'true',
      isDeprecated: deprecated === 'true',
      expiresOn: expires_on,
      modelType: model_type,
      totalParam: total_param,
      activeParam: active_param,
      paramEvidence: hasSize ? row.cell('source') : null,
    },
  };
}
