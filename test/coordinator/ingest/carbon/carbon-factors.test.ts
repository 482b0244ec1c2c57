import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carbonFactors } from '../../../../coordinator/ingest/carbon/carbon-factors.ts';
import { carbonFailure, readCarbon } from './read-carbon.ts';

const header = 'zone,name,country_code,valid_from,valid_to,g_per_kwh,basis,kind,source,source_year,licence\n';

test('a year and an hour, with the source and licence that the row says', async () => {
  const rows =
    'DE,Germany,DE,2025-01-01,2026-01-01,363.5,lifecycle,average,Umweltbundesamt,2025,public\n' +
    'DE,Germany,DE,2026-11-20T10:00:00Z,2026-11-20T11:00:00Z,210,lifecycle,average,TSO,,own\n' +
    'x:y,,,2025-01-01T00:00:00+02:00,2025-01-02,1,direct,marginal,somebody,,own\n';
  const { rowsRead, rowsKept, refused, editions } = await readCarbon(
    carbonFactors,
    '/a/grid.2025-01-01.csv',
    header + rows,
  );
  assert.deepEqual([rowsRead, rowsKept, refused], [3, 3, {}]);
  const [edition] = editions;
  assert.deepEqual([edition?.source, edition?.scope], ['operator', 'grid']);
  assert.deepEqual(edition?.zones, [
    { zone: 'DE', name: 'Germany', country_code: 'DE' },
    { zone: 'x:y', name: 'x:y', country_code: null },
  ]);
  assert.deepEqual(edition?.factors?.[0], {
    zone: 'DE',
    valid_from: '2025-01-01T00:00:00.000Z',
    valid_to: '2026-01-01T00:00:00.000Z',
    g_per_kwh: 363.5,
    basis: 'lifecycle',
    kind: 'average',
    source_year: 2025,
    source_row: 'Umweltbundesamt: DE = 363.5 g CO2e/kWh (public)',
  });
  assert.equal(edition?.factors?.[1]?.valid_to, '2026-11-20T11:00:00.000Z');
  assert.deepEqual(
    [edition?.factors?.[2]?.valid_from, edition?.factors?.[2]?.kind],
    ['2024-12-31T22:00:00.000Z', 'marginal'],
  );
});

test('what is not a factor is refused for its reason and counted', async () => {
  const cells = {
    zone: 'DE',
    from: '2025-01-01',
    to: '2026-01-01',
    g: '1',
    basis: 'direct',
    kind: 'average',
    year: '',
  };
  const row = (given: Partial<typeof cells>): string => {
    const { zone, from, to, g, basis, kind, year } = { ...cells, ...given };
    return `${zone},,,${from},${to},${g},${basis},${kind},s,${year},l`;
  };
  const rows = [
    row({}),
    row({}),
    row({ kind: 'marginal' }),
    row({ basis: 'lifecycle' }),
    row({ zone: 'D E' }),
    row({ zone: '' }),
    row({ from: '2025-02-30' }),
    row({ to: '2025-01-01' }),
    row({ g: '' }),
    row({ g: '-1' }),
    row({ g: '5001' }),
    row({ basis: 'Direct' }),
    row({ kind: 'mean' }),
    row({ year: '25' }),
    'DE,,DEU,2025-01-01,2026-01-01,1,direct,average,s,,l',
    'DE,,',
  ];
  const { rowsRead, rowsKept, refused } = await readCarbon(carbonFactors, 'a.csv', header + rows.join('\n'));
  assert.deepEqual([rowsRead, rowsKept], [16, 3]);
  assert.deepEqual(refused, {
    repeated: 1,
    'bad-zone': 3,
    'bad-time': 2,
    'no-figure': 1,
    'bad-value': 2,
    'unknown-basis': 1,
    'unknown-kind': 1,
    'bad-year': 1,
    'cells-missing': 1,
  });
});

test('swapped columns, an open quote and more rows than memory is for are refused whole', async () => {
  const swapped = 'DE,Germany,DE,363.5,2025-01-01,2026-01-01,lifecycle,average,s,,l\n';
  assert.match(
    await carbonFailure(carbonFactors, 'a.csv', header + swapped),
    /does not hold dates.*are columns swapped\?/,
  );
  assert.match(await carbonFailure(carbonFactors, 'a.csv', `${header}"DE,x`), /the file ends inside a quoted cell/);
  assert.match(await carbonFailure(carbonFactors, 'a.csv', 'zone,g\nDE,1\n'), /has no column valid_from, /);
});

test('hourly rows beyond 200,000 are refused whole', async () => {
  const hour = (at: number): string => new Date(Date.UTC(2000, 0, 1, at)).toISOString();
  const rows = Array.from({ length: 200_001 }, (_, at) => `DE,,DE,${hour(at)},${hour(at + 1)},1,direct,average,s,,l`);
  const content = (async function* () {
    yield Buffer.from(header + rows.join('\n'));
  })();
  await assert.rejects(carbonFactors.read({ name: 'a.csv', content }), /has more than 200000 rows/);
});
