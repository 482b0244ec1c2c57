import { z } from 'zod';
import type { Connector, SourceFile } from '../connector.ts';
import type { Listing, ReadRow, SourceRecord } from '../listing.ts';
import { amountIn } from '../reading/cell-values.ts';
import { type CsvFormat, readCsv } from '../reading/read-csv.ts';
import { beginning } from '../reading/contents.ts';
import { checked, jsonRecord, readJson, readJsonLines } from '../reading/read-json.ts';
import { withoutRepeats } from './repeated-prices.ts';
import { retailListing } from './retail-listing.ts';

type Column = 'name' | 'price' | 'chipset' | 'memory';

const format: CsvFormat<Column> = {
  required: ['name', 'price', 'chipset', 'memory'],
  looks: { price: 'number', memory: 'number' },
};

const card = z.object({
  name: z.string(),
  price: z.number().nullable(),
  chipset: z.string(),
  memory: z.number().nullable(),
});

/**
 * pc-part-dataset, video cards: JSON, and since November 2023 JSON Lines and CSV of the same rows too. Each also comes in a zip
 * with the tables of all other parts. New, in the US, USD; the shop is not named. The chipset is
 * the label (`GeForce RTX 3060 12GB`). Five rows in six have no price. The day is in the file's name.
 */
export const pcPart: Connector = {
  name: 'pc-part',
  title: 'pc-part-dataset, video cards',
  kind: 'retail',
  url: 'https://raw.githubusercontent.com/docyx/pc-part-dataset/HEAD/data/csv/video-card.csv',
  tableIn: (name) => /(^|\/)video-card\.(csv|jsonl?)$/.test(name),
  read: async function* (file) {
    const [start, whole] = await beginning(file);
    const once = withoutRepeats(cardAndPrice);
    const cards = start === '[' ? readCards(whole) : start === '{' ? readLines(whole) : readTable(whole);
    for await (const read of cards) yield* once([read]);
  },
};

/** Variants of a card in colour or length with the same name and price count as one offer. */
const cardAndPrice = ({ label, offer, memoryGb, price }: Listing): string => [label, offer, memoryGb, price].join('\n');

const readTable = (file: SourceFile): AsyncIterable<ReadRow> =>
  readCsv(file, format, {
    row: (row) => [
      cardRow(file, row, {
        name: row.cell('name'),
        chipset: row.cell('chipset'),
        memory: amountIn(row.cell('memory')),
        price: row.cell('price'),
      }),
    ],
  });

async function* readCards(file: SourceFile): AsyncGenerator<ReadRow, void> {
  const list = checked(file, z.array(z.unknown()).nonempty(), await readJson(file), '');
  for (const [index, value] of list.entries()) {
    yield cardRow(file, jsonRecord(index + 1, value), checked(file, card, value, `[${index}]`, index + 1));
  }
}

async function* readLines(file: SourceFile): AsyncGenerator<ReadRow, void> {
  for await (const line of readJsonLines(file))
    yield cardRow(file, line, checked(file, card, line.value, '', line.number));
}

interface Card {
  name: string;
  chipset: string;
  memory: number | null;
  price: string | number | null;
}

const cardRow = (file: SourceFile, record: SourceRecord, { name, chipset, memory, price }: Card): ReadRow =>
  retailListing(
    record,
    {
      label: chipset,
      memoryGb: memory,
      provider: 'PCPartPicker',
      country: 'US',
      priceType: 100,
      offer: name,
      observedAt: file.asOf,
    },
    price,
  );
