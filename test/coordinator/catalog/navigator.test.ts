import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { marketApp } from '../market/filled-market.ts';

const path = '/api/gpu-navigator/gpu-specs';
interface Specification {
  id: number;
  slug: string;
  chip: string;
  mem: number | null;
  fp16: number | null;
  tdp: number | null;
  ppw: number | null;
  cpp: number | null;
}

describe('the navigator', async () => {
  const market = await marketApp({ after });
  const find = async (body?: unknown) =>
    (await market.post(path, body)) as unknown as { total: number; results: Specification[] };

  test('a fresh start has the whole catalogue, 50 to a page', async () => {
    const first = await find();
    assert.ok(first.total >= 110, String(first.total));
    assert.equal(first.results.length, 50);
    const { status, body } = await market.ask('GET', '/api/gpu-navigator/gpu-list');
    assert.equal(status, 200);
    assert.equal((body as { data: { total: number } }).data.total, first.total);
  });

  test('text is found anywhere whatever its case, figures exactly or in a range, and all filters hold', async () => {
    const h100 = await find({ filter: [{ chip: 'h100' }], order_by: [{ mem: 'asc' }] });
    assert.deepEqual(
      h100.results.map(({ mem }) => mem),
      [80, 80, 94],
    );
    const range = await find({ filter: [{ mem: '90-100' }, { manufacturer: 'NVIDIA' }], order_by: [{ name: 'asc' }] });
    assert.ok(range.total > 0 && range.results.every(({ mem }) => mem !== null && mem >= 90 && mem <= 100));
    const exact = await find({ filter: [{ mem: 141 }] });
    assert.deepEqual(
      exact.results.map(({ chip }) => chip),
      ['H200', 'H200'],
    );
    assert.equal((await find({ filter: [{ mem: '141' }] })).total, exact.total);
  });

  test('order is by every key that is given, what lacks the figure comes last either way', async () => {
    for (const direction of ['asc', 'desc'] as const) {
      const { results } = await find({ order_by: [{ tdp: direction }], paginate: { num_per_page: 100 } });
      const known = results.map(({ tdp }) => tdp).filter((tdp) => tdp !== null);
      assert.deepEqual(
        known,
        known.toSorted((a, b) => (direction === 'asc' ? a - b : b - a)),
      );
    }
    const rest = await find({ order_by: [{ fp16: 'desc' }], paginate: { num_per_page: 100, page_num: 2 } });
    assert.equal(rest.results.at(-1)?.fp16, null);
  });

  test('ppw is dense fp16 over power', async () => {
    const [h100] = (await find({ filter: [{ slug: 'nvidia-h100-sxm-80gb' }] })).results;
    assert.deepEqual([h100?.fp16, h100?.tdp, h100?.ppw, h100?.cpp], [989.4, 700, 989.4 / 700, null]);
  });

  test('a column that there is not, two keys in one filter and an invalid range are refused by their place', async () => {
    const wrong = async (body: unknown): Promise<string> => {
      const { status, body: answered } = await market.ask('POST', path, body);
      assert.equal(status, 422);
      return (answered as { detail: { loc: (string | number)[] }[] }).detail.map(({ loc }) => loc.join('.')).join(' ');
    };
    assert.match(await wrong({ filter: [{ price: 3 }] }), /^body\.filter\.0/);
    assert.match(await wrong({ filter: [{ mem: 80, chip: 'H100' }] }), /^body\.filter\.0/);
    assert.equal(await wrong({ filter: [{ mem: '80 to 90' }] }), 'body.filter.0.mem');
    assert.equal(await wrong({ filter: [{ chip: 100 }] }), 'body.filter.0.chip');
    assert.equal(await wrong({ paginate: { num_per_page: 0 } }), 'body.paginate.num_per_page');
  });
});
