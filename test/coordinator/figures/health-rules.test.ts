import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuickMarkResults } from '../../../coordinator/contract/quick-mark.ts';
import { healthFindings, healthNotRead } from '../../../coordinator/contract/health.ts';
import { healthRules } from '../../../coordinator/figures/health-rules.ts';
import { jobHealth, withHealth } from '../../../coordinator/figures/node-health.ts';
import { placedFindings } from '../../../coordinator/figures/tell-health.ts';
import { faults, xidBefore, xidDuring } from './health-faults.ts';
import { nodeWith, type Fault } from './ill-node.ts';

const found = (results: QuickMarkResults): string[] =>
  placedFindings(withHealth(results))
    .map(({ finding }) => finding.rule)
    .toSorted();

const rulesOf = new Map(healthRules.map((rule) => [rule.id, rule]));

/** Every rule of one node with its fault. */
const all: [string, Fault][] = healthRules.flatMap((rule): [string, Fault][] => {
  if (rule.scope === 'job') return [];
  const [, number, before] = /^xid_(\d+)(_before_run)?$/.exec(rule.id) ?? [];
  const given = faults[rule.id];
  if (given !== undefined) return [[rule.id, given]];
  assert.ok(number !== undefined, `no fault is known for rule ${rule.id}`);
  return [[rule.id, before === undefined ? xidDuring(Number(number)) : xidBefore(Number(number))]];
});

test('every rule is told by its own name, names the document and section it rests on, and says how sure that is', () => {
  assert.equal(rulesOf.size, healthRules.length);
  assert.ok(healthRules.length > 150, `${healthRules.length} rules`);
  assert.deepEqual(
    Object.keys(faults).filter((id) => !rulesOf.has(id)),
    [],
  );
  for (const { id, source, unless = [], says, action, severity } of healthRules) {
    assert.match(id, /^[a-z][a-z0-9_]{2,59}$/);
    assert.ok(source.document.length > 3 && source.section.length > 3, id);
    assert.ok(['read', 'one page', 'memory'].includes(source.confidence), id);
    assert.deepEqual(
      unless.filter((other) => !rulesOf.has(other)),
      [],
      id,
    );
    assert.ok(says.length > 10 && says.length < 200, id);
    // A finding that asks for nothing is at most a warning: a person could not end it.
    if (severity === 'critical') assert.notEqual(action, 'none', id);
  }
});

test('a healthy node has no finding, and every signal of its cards is read', () => {
  for (const on of ['hgx', 'workstation', 'instinct'] as const) {
    for (const count of [1, 2, 4, 8, 16]) {
      const judged = withHealth(nodeWith([{ on }], count));
      assert.deepEqual(placedFindings(judged), [], `${on} x${count}`);
      if (on !== 'hgx' || count === 1) continue;
      for (const device of judged.test_results) assert.deepEqual(device.health_not_read, [], `${on} x${count}`);
    }
  }
});

test('each fault is found by its rule and by no other', () => {
  for (const [rule, fault] of all) assert.deepEqual(found(nodeWith([fault])), [rule]);
});

test('two faults at once are both found, and nothing else, unless one rule tells the other fact more exactly', () => {
  // The rules of single Xids are made alike: a few stand for all.
  const some = all.filter(([rule]) => !/^xid_\d/.test(rule) || /^xid_(13|79|94)(_before_run)?$/.test(rule));
  let pairs = 0;
  for (const [place, [one, first]] of some.entries()) {
    for (const [other, second] of some.slice(place + 1)) {
      if (!canBeBoth(first, second)) continue;
      pairs += 1;
      const told = [one, other].filter(
        (rule) => !(rulesOf.get(rule)?.unless ?? []).some((id) => id === one || id === other),
      );
      assert.deepEqual(found(nodeWith([first, second])), told.toSorted(), `${one} and ${other}`);
    }
  }
  assert.ok(pairs > 1500, `${pairs} pairs`);
});

/** Not on different machines, and not two values of one fact; lists hold both. */
function canBeBoth(one: Fault, other: Fault): boolean {
  if ((one.on ?? 'hgx') !== (other.on ?? 'hgx')) return false;
  const paths = ({ card = {}, machine = [] }: Fault): string[] => [
    ...Object.entries(card).flatMap(([path, value]) => (Array.isArray(value) ? [] : [path])),
    ...machine.filter(({ signal }) => !/xid/.test(signal)).map(({ signal, of }) => `${signal} ${of ?? ''}`),
  ];
  const taken = new Set(paths(one));
  return !paths(other).some((path) => taken.has(path) || [...taken].some((held) => held.startsWith(`${path}.`)));
}

test('an Xid before the run counts one step less than during it, says how long ago, and one of a program is a remark', () => {
  const severity = (fault: Fault): (string | undefined)[] => {
    const [first] = placedFindings(withHealth(nodeWith([fault])));
    return [first?.place, first?.finding.severity, first?.finding.evidence];
  };
  assert.deepEqual(severity(xidDuring(79)), [
    'GPU 0',
    'critical',
    'the driver logged Xid 79 during the run: the GPU has fallen off the bus',
  ]);
  assert.deepEqual(severity(xidBefore(79)), [
    'GPU 0',
    'warning',
    'the kernel log has Xid 79, 3 h ago: the GPU has fallen off the bus',
  ]);
  for (const number of [13, 31, 43, 45]) assert.equal(severity(xidBefore(number))[1], 'info', `Xid ${number}`);
  assert.equal(severity(xidDuring(9999))[1], 'warning');
});

test('an Xid that the driver told and the kernel logged is one finding; that of a card not measured is the machine\u2019s', () => {
  const logged = { machine: [{ signal: 'kernel_xid', of: '00000000:18:00', value: 79, during_run: 1 }] };
  assert.deepEqual(found(nodeWith([xidDuring(79), logged])), ['xid_79']);
  const elsewhere = { machine: [{ signal: 'kernel_xid', of: '0000:e8:00.0', value: 79, during_run: 1 }] };
  const [first] = placedFindings(withHealth(nodeWith([elsewhere])));
  assert.deepEqual([first?.place, first?.finding.rule, first?.finding.of], ['machine', 'xid_79', '0000:e8:00.0']);
});

test('a fault of one port silences no fault of another, which a more exact rule would', () => {
  const of = (name: string, signal: string, during_run: number) => ({ signal, of: name, value: 0, during_run });
  const crc = of('eth0', 'net_crc_errors', 3);
  assert.deepEqual(found(nodeWith([{ machine: [crc, of('eth0', 'net_rx_errors', 40)] }])), ['net_crc_errors']);
  assert.deepEqual(found(nodeWith([{ machine: [crc, of('eth1', 'net_rx_errors', 40)] }])), [
    'net_crc_errors',
    'net_rx_errors',
  ]);
});

test('a signal that is missing is not read, with its reason, and never healthy', () => {
  const bare = nodeWith([]);
  const { node_signals: _, ...without } = bare;
  const told = {
    ...without,
    test_results: bare.test_results.map((device) => ({
      ...device,
      details: { device: { backend: 'cuda', ecc_mode: null, health_problems: { ecc_mode: 'no permission' } } },
    })),
  } as unknown as QuickMarkResults;
  const judged = withHealth(told);
  assert.deepEqual(placedFindings(judged), []);
  const unread = judged.test_results[0]?.health_not_read ?? [];
  assert.deepEqual(unread.find(({ because }) => because === 'no permission')?.signals, ['ecc_mode']);
  const missing = new Set(unread.flatMap(({ signals }) => signals));
  const needed = healthRules.filter(
    ({ scope, vendor, signal }) => scope === 'device' && vendor !== 'amd' && !/^aer_|^kernel_|^pinned_/.test(signal),
  );
  assert.deepEqual(
    [...new Set(needed.map(({ signal }) => signal))].filter((signal) => !missing.has(signal)),
    [],
  );
  assert.ok(
    judged.node_health_not_read?.some(({ because }) => because === 'the agent of this run does not read the machine'),
  );
});

test('what is normal is not accused: power cap, default clocks below the highest, a card on its own, a partition, bridges', () => {
  const normal: [string, Fault, number?][] = [
    ['power cap', { card: { 'run.throttle': ['sw_power_cap', 'current_limit'] } }],
    [
      'default clocks',
      {
        cards: {
          'run.throttle': ['application_clocks'],
          'device.application_clocks': { sm_mhz: 1290, default_sm_mhz: 1290 },
          'device.clocks_max': { sm_mhz: 1530 },
        },
      },
    ],
    [
      'a card cut off from its peers',
      { cards: { 'device.nvlink_active': 0, 'device.fabric.state': 'in progress' } },
      1,
    ],
    ['partitions', { cards: { 'device.nvlink_active': 0, 'device.mig_enabled': true } }],
    ['single corrected errors', { cards: { 'run.ecc_corrected_during_run': 3, 'device.ecc_errors.corrected': 9000 } }],
    ['a raised power cap', { cards: { 'device.power_cap_watts': 750 } }],
    ['ECC off where it is not the default', { on: 'workstation' }],
  ];
  for (const [words, fault, count = 2] of normal) assert.deepEqual(found(nodeWith([fault], count)), [], words);
});

test('findings fit the contract whatever a node sends, and judging them again changes nothing', () => {
  const hostile = nodeWith([
    {
      card: {
        'device.recovery_action': 'x'.repeat(5000),
        'device.driver_version': '\uD800'.repeat(300),
        'run.xid': Array.from({ length: 5000 }, (_, number) => number),
      },
    },
    {
      machine: Array.from({ length: 1900 }, (_, number) => ({
        signal: 'ib_link_downed',
        of: `p${number}`,
        value: 1,
        during_run: 1,
      })),
    },
  ]);
  const judged = withHealth(hostile);
  for (const device of judged.test_results) {
    healthFindings.parse(device.health);
    healthNotRead.parse(device.health_not_read);
  }
  healthFindings.parse(judged.node_health);
  healthNotRead.parse(judged.node_health_not_read);
  assert.deepEqual(withHealth(judged), judged);
});

test('nodes of one job that differ in their driver are a warning, in their VBIOS a remark; other models are not compared', () => {
  const node = (name: string, driver_version: string, vbios = '96.00', model = 'NVIDIA H100 80GB HBM3') => ({
    name,
    cards: [{ model, driver_version, vbios }],
  });
  const told = (...nodes: ReturnType<typeof node>[]) =>
    jobHealth(nodes).map(({ rule, severity, evidence }) => [rule, severity, evidence]);
  assert.deepEqual(told(node('a', '580'), node('b', '580')), []);
  assert.deepEqual(told(node('a', '580'), node('b', '575')), [
    ['nodes_differ_in_driver', 'warning', 'nodes with cards of one model differ in their driver: 580 (a), 575 (b)'],
  ]);
  assert.deepEqual(
    told(node('a', '580'), node('b', '580', '97.00')).map(([rule, severity]) => [rule, severity]),
    [['nodes_differ_in_vbios', 'info']],
  );
  assert.deepEqual(told(node('a', '580'), node('b', '6.12', '113', 'AMD Instinct MI300X')), []);
});
