import type { DefaultPostcode } from '../../carbon/factors/edition.ts';
import { readCapitals } from '../../carbon/shipped/tables.ts';
import { FormatError } from '../connector.ts';
import { amountIn } from '../reading/cell-values.ts';
import { textLines } from '../reading/contents.ts';
import { Tally } from '../tally.ts';
import type { CarbonConnector, CarbonFile, CarbonReading, CarbonRefusal } from './carbon-connector.ts';

/** Country, code, place, three names and codes of its parts, latitude, longitude, accuracy. */
const COLUMNS = 12;
const [COUNTRY, CODE, LATITUDE, LONGITUDE] = [0, 1, 9, 10];

/**
 * GeoNames' post codes of one country or of all (`allCountries.zip`), tab separated and without a header. One per country is
 * kept: the nearest to its capital, of several at the same distance the alphabetically first. Streamed.
 */
export const geonames: CarbonConnector = {
  name: 'geonames',
  title: 'GeoNames post codes: the one that stands for a country',
  url: 'https://download.geonames.org/export/zip/allCountries.zip',
  read,
};

async function read(file: CarbonFile): Promise<CarbonReading> {
  const capitals = await readCapitals();
  const nearest = new Map<string, DefaultPostcode & { distance: number }>();
  const tally = new Tally<CarbonRefusal>();
  for await (const line of textLines(file, 'table of post codes')) {
    if (line.trim() === '') continue;
    tally.rowsRead += 1;
    const row = tally.rowsRead;
    const cells = line.replace(/\r$/, '').split('\t');
    if (cells.length !== COLUMNS) {
      // A later row that is cut off is refused alone; if the first does not fit, the file has another format.
      if (row === 1) throw new FormatError(file, null, `is not of this format: its rows have no ${COLUMNS} columns`);
      tally.refuse('cells-missing', row, `${cells.length} of ${COLUMNS}`);
      continue;
    }
    const found = placed(cells, capitals);
    if (typeof found === 'string') {
      tally.refuse(found, row, `${cells[COUNTRY]} ${cells[CODE]}`);
      continue;
    }
    const known = nearest.get(found.country_code);
    const isNearer =
      !known ||
      found.distance < known.distance ||
      (found.distance === known.distance && found.postcode < known.postcode);
    if (isNearer) nearest.set(found.country_code, found);
    if (known) tally.refuse('farther', row, (isNearer ? known : found).postcode);
  }
  const editions = [...nearest.values()].map(({ country_code, postcode }) => ({
    source: 'geonames' as const,
    scope: country_code,
    defaultPostcodes: [{ country_code, postcode }],
  }));
  return { rowsRead: tally.rowsRead, rowsKept: nearest.size, refused: tally.refused, editions };
}

type Degrees = { lat: number; lon: number };

function placed(
  cells: readonly string[],
  capitals: ReadonlyMap<string, Degrees>,
): (DefaultPostcode & { distance: number }) | CarbonRefusal {
  const [country_code = '', postcode = ''] = [cells[COUNTRY], cells[CODE]?.trim()];
  const capital = capitals.get(country_code);
  if (!capital) return 'unknown-capital';
  const [lat, lon] = [amountIn(cells[LATITUDE]), amountIn(cells[LONGITUDE])];
  if (postcode === '' || lat === null || lon === null || !(Math.abs(lat) <= 90 && Math.abs(lon) <= 180))
    return 'no-place';
  return { country_code, postcode, distance: between(capital, { lat, lon }) };
}

const RADIANS = Math.PI / 180;

/** Grows with the distance on the sphere (haversine); for comparison only, without a unit. */
function between(a: Degrees, b: Degrees): number {
  const [north, east] = [Math.sin(((b.lat - a.lat) * RADIANS) / 2), Math.sin(((b.lon - a.lon) * RADIANS) / 2)];
  return north ** 2 + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * east ** 2;
}
