import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Fate, Offer } from '../../../../coordinator/market/pricing/standard-offers.ts';
import { votesOf } from '../../../../coordinator/market/pricing/votes-of-offers.ts';

const offer = (given: Partial<Offer> & Pick<Offer, 'price'>): Offer => ({
  product_id: 1,
  price_type: 0,
  country: 'US',
  provider_id: 1,
  segment: '',
  gpu_count: 8,
  sized: true,
  cluster_size: 1,
  region: 'us-east-1',
  offer: 'p5.48xlarge',
  source: 'observations',
  run_id: '1',
  observations: 1,
  quoted: '2026-10-10',
  ...given,
});

/** The worldwide vote, and what became of each offer. */
function judged(
  offers: Offer[],
  { byEight = true, marketplace = false } = {},
): { vote: unknown; fates: (Fate | undefined)[] } {
  const fates = new Map<Offer, Fate>();
  const votes = votesOf(offers, { isSoldByEight: () => byEight, isMarketplace: () => marketplace }, fates);
  const vote = votes.find(({ country, segment }) => country === '' && segment === '');
  return { vote: vote && [vote.price, vote.observations, vote.cards], fates: offers.map((one) => fates.get(one)) };
}

describe('a provider’s standard machines', () => {
  test('of a class that is sold by eight the machine of eight votes, others are observations', () => {
    assert.deepEqual(
      judged([
        offer({ price: 6 }),
        offer({ price: 9, gpu_count: 1, offer: 'p5.4xlarge' }),
        offer({ price: 5, gpu_count: 0.5, offer: 'slice' }),
        offer({ price: 4, cluster_size: 4, offer: 'cluster' }),
      ]),
      { vote: [6, 1, 8], fates: ['votes', 'other-size', 'other-size', 'other-size'] },
    );
  });

  test('without one of eight, the nearest below; without those, the smallest above', () => {
    const of = (...sizes: number[]) =>
      judged(sizes.map((gpu_count) => offer({ price: gpu_count, gpu_count, offer: `of ${gpu_count}` }))).vote;
    assert.deepEqual(of(1, 2, 4, 16), [4, 1, 4]);
    assert.deepEqual(of(16, 32), [16, 1, 16]);
  });

  test('of single cards the entry machine of each place votes: g4dn.xlarge at 0.526, not the median of its family', () => {
    const machines = [0.526, 0.752, 1.204, 2.176, 4.352].map((price, at) =>
      offer({ price, gpu_count: 1, offer: `g4dn.${['', '2', '4', '8', '16'][at]}xlarge` }),
    );
    const west = machines.map((one) => offer({ ...one, region: 'us-west-1', price: one.price * 1.2 }));
    const { vote, fates } = judged(
      [...machines, ...west, offer({ price: 0.978, gpu_count: 4, offer: 'g4dn.12xlarge' })],
      {
        byEight: false,
      },
    );
    // the median of 0.526 and 0.6312
    assert.deepEqual(vote, [(0.526 + 0.526 * 1.2) / 2, 2, 1]);
    assert.deepEqual(fates[1], 'larger-machine');
    assert.deepEqual(fates.at(-1), 'other-size');
  });

  test('prices that state no size vote only if no standard machine is known', () => {
    const unsized = offer({ price: 2, sized: false, gpu_count: 1, offer: null, region: null });
    assert.deepEqual(judged([offer({ price: 6 }), unsized]), { vote: [6, 1, 8], fates: ['votes', 'size-unstated'] });
    assert.deepEqual(judged([offer({ price: 6, gpu_count: 2 }), unsized]), {
      vote: [2, 1, null],
      fates: ['other-size', 'votes'],
    });
  });
});

describe('the same offer counts once', () => {
  test('of three sources the one that is trusted most, in any order and spelling of case', () => {
    const page = offer({ price: 6.88, source: 'aws-pricing-page' });
    const sky = offer({ price: 6.8, source: 'skypilot', region: 'US-EAST-1' });
    const other = offer({ price: 7, offer: 'P5.48XLARGE' });
    for (const offers of [
      [page, sky, other],
      [other, sky, page],
    ]) {
      const { vote, fates } = judged(offers);
      assert.deepEqual(vote, [6.88, 1, 8]);
      assert.deepEqual(offers.map((one, at) => `${one.source} ${fates[at]}`).toSorted(), [
        'aws-pricing-page votes',
        'observations same-offer',
        'skypilot same-offer',
      ]);
    }
  });

  test('a machine without a region is told already if another row places it', () => {
    assert.deepEqual(judged([offer({ price: 6 }), offer({ price: 9, region: null, source: 'skypilot' })]).fates, [
      'votes',
      'same-offer',
    ]);
  });

  test('of one source the later reading', () => {
    const [early, late] = [offer({ price: 6, run_id: '9' }), offer({ price: 7, run_id: '10' })];
    assert.deepEqual(judged([early, late]), { vote: [7, 1, 8], fates: ['same-offer', 'votes'] });
  });

  test('of a marketplace every offer of the best source votes', () => {
    const offers = [1, 2, 9].map((price) =>
      offer({ price, source: 'vast-bundles', gpu_count: 8, offer: null, region: `host ${price}` }),
    );
    assert.deepEqual(judged([...offers, offer({ price: 4, source: 'skypilot' })], { marketplace: true }), {
      vote: [2, 3, 8],
      fates: ['votes', 'votes', 'votes', 'same-offer'],
    });
  });
});

test('a segment votes in a market of its own', () => {
  const votes = votesOf([offer({ price: 6 }), offer({ price: 20, segment: 'government', region: 'us-gov-west-1' })], {
    isSoldByEight: () => true,
    isMarketplace: () => false,
  });
  assert.deepEqual(
    votes.filter(({ country }) => country === '').map(({ segment, price }) => [segment, price]),
    [
      ['', 6],
      ['government', 20],
    ],
  );
});
