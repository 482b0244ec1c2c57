import type { Connector } from '../connector.ts';
import type { CsvFormat } from '../reading/csv-format.ts';
import { readCsv } from '../reading/read-csv.ts';
import { withoutRepeats } from './repeated-prices.ts';
import { handKeptRow } from './hand-kept-row.ts';

type Column = 'Cloud' | 'GPU Type' | 'GPUs' | 'GPU RAM' | 'On-demand' | 'Spot' | 'Name';

const format: CsvFormat<Column> = {
  required: ['Cloud', 'GPU Type', 'GPUs', 'GPU RAM', 'On-demand', 'Spot', 'Name'],
  looks: { GPUs: 'count', 'On-demand': 'number', Spot: 'number' },
};

/** Full Stack Deep Learning's table of cloud GPUs; the day stands in the file's name. The first edition has `$` in its prices. */
export const fsdlCloud: Connector = {
  name: 'fsdl-cloud',
  title: 'FSDL cloud GPUs',
  kind: 'rental',
  url: null,
  read: (file) => {
    const once = withoutRepeats();
    return readCsv(file, format, {
      row: (row) =>
        once(
          handKeptRow(file, {
            record: row,
            provider: row.cell('Cloud'),
            label: row.cell('GPU Type'),
            gpus: row.cell('GPUs'),
            gpuRam: row.cell('GPU RAM'),
            onDemand: row.cell('On-demand'),
            spot: row.cell('Spot'),
            offer: row.cell('Name'),
          }),
        ),
    });
  },
};
