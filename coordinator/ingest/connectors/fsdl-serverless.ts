import type { Connector } from '../connector.ts';
import type { CsvFormat } from '../reading/csv-format.ts';
import { readCsv } from '../reading/read-csv.ts';
import { withoutRepeats } from './repeated-prices.ts';
import { handKeptRow } from './hand-kept-row.ts';

type Column = 'Vendor' | 'GPU Type' | 'GPUs' | 'GPU RAM' | 'Per-Hour';

const format: CsvFormat<Column> = {
  required: ['Vendor', 'GPU Type', 'GPUs', 'GPU RAM', 'Per-Hour'],
  looks: { GPUs: 'count', 'Per-Hour': 'number' },
};

/** The same for platforms that bill by the second of use: a market of its own. */
export const fsdlServerless: Connector = {
  name: 'fsdl-serverless',
  title: 'FSDL serverless GPUs',
  kind: 'rental',
  url: null,
  read: (file) => {
    const once = withoutRepeats();
    return readCsv(file, format, {
      row: (row) =>
        once(
          handKeptRow(file, {
            record: row,
            provider: row.cell('Vendor'),
            label: row.cell('GPU Type'),
            gpus: row.cell('GPUs'),
            gpuRam: row.cell('GPU RAM'),
            onDemand: row.cell('Per-Hour'),
            spot: '',
            offer: 'serverless',
            segment: 'serverless',
          }),
        ),
    });
  },
};
