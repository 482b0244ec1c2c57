import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairNumber } from '../../../../coordinator/network/schedule/pair-number.ts';
import { judgePreflight } from '../../../../coordinator/network/verdict/judge-preflight.ts';

const seatsOf = (count: number) => Array.from({ length: count }, (_, seat) => seat);

/** All dials among `count` nodes; `fails` says which do not work. */
function preflight(count: number, fails: (from: number, to: number) => boolean, nodes = seatsOf(count)) {
  const reach = nodes.flatMap((from) =>
    nodes
      .filter((to) => to !== from)
      .map((to) => {
        const works = !fails(from, to);
        return { from, to, status: works ? 'ok' : 'timeout', address: works ? `10.0.0.${to}` : null };
      }),
  );
  return { nodes, count, reach, listenerOf: (a: number, b: number) => Math.min(a, b) };
}

test('where everybody reaches everybody there is one group, and each pair is dialled as the schedule wants', () => {
  const { links, ...judgement } = judgePreflight(preflight(5, () => false));
  assert.deepEqual(judgement, {
    partitions: [[0, 1, 2, 3, 4]],
    one_way_pairs: [],
    inbound_blocked: [],
    unreachable: [],
  });
  assert.equal(links.size, 10);
  assert.deepEqual(links.get(pairNumber(1, 3, 5)), { dialer: 3, address: '10.0.0.1' });
});

test('a pair that works one way only is dialled that way, whatever the schedule wants', () => {
  const { one_way_pairs, inbound_blocked, links } = judgePreflight(preflight(5, (from, to) => from === 3 && to === 1));
  assert.deepEqual(one_way_pairs, [{ from: 1, to: 3 }]);
  assert.deepEqual(inbound_blocked, []);
  assert.deepEqual(links.get(pairNumber(1, 3, 5)), { dialer: 1, address: '10.0.0.3' });
});

test('a host that nobody can dial is inbound-blocked where it dials others and two of them can dial', () => {
  const blocked = (count: number) => judgePreflight(preflight(count, (_, to) => to === 1));
  assert.deepEqual(blocked(5).inbound_blocked, [1]);
  assert.deepEqual(blocked(5).one_way_pairs.length, 4);
  assert.deepEqual([blocked(5).unreachable, blocked(5).partitions.length], [[], 1]);
  assert.deepEqual(blocked(3).inbound_blocked, [1]);
  // of two it may as well be that the other cannot dial
  assert.deepEqual(blocked(2).inbound_blocked, []);
  // nor is one to blame that is dialled by nobody because nobody can dial at all
  assert.deepEqual(judgePreflight(preflight(5, (from) => from !== 1)).inbound_blocked, []);
});

test('a dead host is unreachable where others reach each other, and not inbound-blocked', () => {
  const { unreachable, inbound_blocked, partitions, links } = judgePreflight(
    preflight(5, (from, to) => from === 2 || to === 2),
  );
  assert.deepEqual([unreachable, inbound_blocked], [[2], []]);
  assert.deepEqual(partitions, [[0, 1, 3, 4], [2]]);
  assert.equal(links.get(pairNumber(0, 2, 5)), null);
  assert.deepEqual(judgePreflight(preflight(2, () => true)).unreachable, [], 'of two either may be the dead one');
  assert.deepEqual(judgePreflight(preflight(2, () => true)).partitions, [[0], [1]]);
});

test('groups that do not reach each other are partitions, the largest first; one way through joins them', () => {
  const apart = (from: number, to: number) => (from % 3 === 0) !== (to % 3 === 0);
  assert.deepEqual(
    judgePreflight(preflight(7, apart)).partitions,
    [
      [1, 2, 4, 5],
      [0, 3, 6],
    ].toSorted((a, b) => b.length - a.length),
  );
  const bridged = judgePreflight(preflight(7, (from, to) => apart(from, to) && !(from === 0 && to === 1)));
  assert.deepEqual(bridged.partitions, [[0, 1, 2, 3, 4, 5, 6]]);
});

test('what nobody reported counts as failed, and does not prove that a dial works one way only', () => {
  const given = preflight(4, () => false);
  const reach = given.reach.filter(({ from }) => from !== 2);
  const { one_way_pairs, inbound_blocked, links } = judgePreflight({ ...given, reach });
  assert.deepEqual([one_way_pairs, inbound_blocked], [[], []]);
  assert.deepEqual(links.get(pairNumber(0, 2, 4)), { dialer: 0, address: '10.0.0.2' });
});

test('pairs are numbered by the seats at the start, also if some take no part; dials of those are ignored', () => {
  const given = preflight(6, () => false, [0, 2, 5]);
  const reach = [
    ...given.reach,
    { from: 1, to: 2, status: 'ok', address: 'x' },
    { from: 9, to: 0, status: 'ok', address: 'x' },
  ];
  const { partitions, links } = judgePreflight({ ...given, reach });
  assert.deepEqual(partitions, [[0, 2, 5]]);
  assert.deepEqual([...links.keys()], [pairNumber(0, 2, 6), pairNumber(0, 5, 6), pairNumber(2, 5, 6)]);
});
