import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { readDocument, rowOf } from '../support/device-check-document.ts';
import { fakeProgram, runCheck, sources, startCheck, workPlace } from '../support/device-check-run.ts';
import { fakeNvbandwidth, fakeTorch } from '../support/fake-peers.ts';

const card = 'GPU-0151d0de-514d-4000-8000-514d551a7ed0';
const calls = (path: string): { argv: string[]; devices: string }[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { argv: string[]; devices: string });

/** With and without matrix units, whose simulation is slow. */
const kinds = [
  { arch: 'sm_90', image: 'sm_90 cubin', cards: 1 },
  { arch: 'sm_70', image: 'sm_60 ptx, compiled by the driver', cards: 1 },
  { arch: 'sm_70', image: 'sm_60 ptx, compiled by the driver', cards: 2 },
];

for (const { arch, image } of kinds.filter(({ cards }) => cards === 1)) {
  test(`${arch}: runner and peers take turns on one card at the same sizes, and each ratio is of one round`, async () => {
    const place = workPlace();
    const torchLog = join(place, 'torch.log');
    const bandwidthLog = join(place, 'nvbandwidth.log');
    fakeProgram(place, 'python3', fakeTorch(torchLog, { triad_gbs: 2, copy_gbs: 3, host_to_device_gbs: 5 }));
    fakeProgram(place, 'nvbandwidth', fakeNvbandwidth(bandwidthLog, 10));
    const ran = await runCheck(place, ['--rounds', '2'], { GPUMARK_SIM_ARCH: arch });
    assert.equal(ran.exitCode, 1, ran.stderr);

    const [file = ''] = readdirSync(join(place, 'var/device-check'));
    assert.match(
      file,
      new RegExp(`^simulated-gpu-${arch.replace('_', '-')}-580\\.65\\.06-\\d{4}-\\d\\d-\\d\\d\\.json$`),
    );
    const document = readDocument(join(place, 'var/device-check', file));
    assert.equal(document.simulated, true);
    assert.deepEqual(document.cards, [
      { card: `Simulated GPU (${arch})`, device_id: card, driver: '580.65.06', image },
    ]);
    const rows = document.devices[0]?.rows;
    const [first, second] = document.rounds.map((round) => round.turns[0]);
    const result = first?.run.results.find((one) => one.metric === 'memory_bandwidth_gbs');

    const triad = rowOf(rows, 'triad_gbs');
    const [one = 0, two = 0] = triad.rounds.map(Number);
    assert.equal(one, result?.value);
    // Torch reached 2 in its first run and 2 x 2 in its second; of two ratios the middle is the mean.
    assert.deepEqual(triad.peer, { name: 'torch 2.99.0 (CUDA 13.0)', rounds: [2, 4] });
    assert.ok(Math.abs(Number(triad.ratio) - (one / 2 + two / 4) / 2) < 1e-12);
    const [up = 0, upAgain = 0] = rowOf(rows, 'host_to_device_gbs').rounds.map(Number);
    const byBandwidth = rowOf(rows, 'host_to_device_gbs_nvbandwidth').ratio;
    assert.ok(Math.abs(Number(byBandwidth) - (up / 10 + upAgain / 10) / 2) < 1e-12);
    // Torch gave no figure for the other direction: there is no ratio, and none is missed.
    const down = rowOf(rows, 'device_to_host_gbs').checks.find((check) => check.rule === 'ratio to torch');
    assert.deepEqual([down?.value, down?.verdict], [null, 'no peer']);

    const sizes = result?.details['array_bytes'];
    for (const call of calls(torchLog)) {
      assert.equal(call.devices, card);
      assert.equal(call.argv[call.argv.indexOf('--array-bytes') + 1], String(sizes));
    }
    assert.equal(calls(bandwidthLog)[0]?.devices, card);
    assert.deepEqual([first?.first, second?.first], ['runner', 'peers']);
    assert.ok(String(first?.peers[0]?.started_at) > String(first?.run.started_at));
    assert.ok(String(second?.peers[0]?.started_at) < String(second?.run.started_at));

    const lines = ran.stdout.split('\n');
    const tables = lines.filter((line) => line.startsWith('figure '));
    assert.equal(lines.filter((line) => line.startsWith('SIMULATED')).length, tables.length);
    for (const line of lines.filter((text) => !text.startsWith('written: '))) assert.ok(line.length <= 80, line);
  });
}

for (const { arch, cards } of kinds.filter((one) => one.cards > 1)) {
  describe(`${cards} cards of ${arch}, and a torch that finds another one`, () => {
    const place = workPlace();
    const other = '99999999-514d-4000-8000-514d551a7ed0';
    let ran: Awaited<ReturnType<typeof runCheck>>;
    before(async () => {
      fakeProgram(place, 'python3', fakeTorch(join(place, 'log'), { triad_gbs: 2 }, other));
      ran = await runCheck(place, ['--out', 'out.json'], {
        GPUMARK_SIM_ARCH: arch,
        GPUMARK_SIM_DEVICES: String(cards),
      });
      assert.equal(ran.exitCode, 1, ran.stderr);
    });

    test('that torch gives no ratio, and the words name its card', () => {
      for (const { rows } of readDocument(join(place, 'out.json')).devices) {
        const ratio = rowOf(rows, 'triad_gbs').checks.find((check) => check.rule === 'ratio to torch');
        const reason = `torch measured another device (Fake, ${other})`;
        assert.deepEqual([ratio?.verdict, ratio?.reason], ['no peer', reason]);
      }
      assert.match(ran.stdout, /no peer memory triad/);
    });

    test('both are also measured at once and against each other', () => {
      const { devices, node } = readDocument(join(place, 'out.json'));
      assert.equal(devices.length, 2);
      for (const id of ['together_0_triad_gbs', 'together_1_triad_gbs', 'cell_0_1', 'cell_1_0']) {
        assert.ok(Number(rowOf(node, id).median) > 0, id);
      }
      assert.equal(rowOf(node, 'self_test').median, 2);
    });
  });
}

test('results of a simulated card are refused in native/results, also through a link, before anything is measured', async () => {
  const place = workPlace();
  mkdirSync(join(place, 'native/results'), { recursive: true });
  symlinkSync(join(place, 'native/results'), join(place, 'elsewhere'));
  for (const out of ['native/results/a.json', 'native/results/deeper/a.json', 'elsewhere/a.json']) {
    const { exitCode, stderr } = await runCheck(place, ['--out', out]);
    assert.equal(exitCode, 2, stderr);
    assert.match(stderr, /results of a simulated device do not go to native\/results/);
    assert.doesNotMatch(stderr, /self-test/);
  }
  assert.deepEqual(readdirSync(join(place, 'native/results')), []);
});

test('without a GPU the exit code is 5, and the words say what was looked for and what to do', async () => {
  const place = workPlace();
  const { exitCode, stderr, stdout } = await runCheck(place, [], { GPUMARK_SIM_FAULT: 'no-device' });
  assert.equal(exitCode, 5);
  assert.equal(stdout, '');
  assert.match(stderr, /No GPU that can be measured/);
  assert.match(stderr, /libcuda\.so\.1/);
  assert.match(stderr, /nvidia \(cuda\): no-device/);
  assert.match(stderr, /Install the driver/);
  assert.equal(existsSync(join(place, 'var')), false);
});

test('a card whose memory is held by others is not measurable: exit code 5, and the holder is named', async () => {
  const { exitCode, stdout } = await runCheck(workPlace(), ['--out', 'out.json'], {
    GPUMARK_SIM_FAULT: 'memory-taken',
  });
  assert.equal(exitCode, 5);
  assert.match(stdout.replaceAll('\n  ', ' '), /ERROR device_busy: .*held by (process 1\b|another process)/);
});

test('a wrong result is exit code 6, and device and kernel are named', async () => {
  const place = workPlace();
  const { exitCode, stdout } = await runCheck(place, ['--out', 'out.json'], {
    GPUMARK_SIM_FAULT: 'flip-bit:gpumark_triad',
  });
  assert.equal(exitCode, 6);
  const { wrong, devices } = readDocument(join(place, 'out.json'));
  assert.ok(
    wrong.some((words) => words.startsWith(`${card}: gpumark_triad differs from its reference`)),
    wrong.join('\n'),
  );
  assert.ok(
    wrong.some((words) => words.includes('memory_bandwidth_gbs')),
    wrong.join('\n'),
  );
  // A wrong figure is not compared with a peer.
  assert.equal(rowOf(devices[0]?.rows, 'triad_gbs').median, null);
  assert.match(stdout, /WRONG/);
});

test('a signal stops the check; nothing is written', async () => {
  const place = workPlace();
  const { process: check } = await startCheck(place, ['--time-scale', '1', '--out', 'out.json']);
  let said = '';
  while (!said.includes('round 1')) said += String((await once(check.stderr, 'data'))[0]);
  check.kill('SIGTERM');
  const { exitCode, stdout } = await check;
  assert.equal(exitCode, 143);
  assert.equal(stdout, '');
  assert.equal(existsSync(join(place, 'out.json')), false);
});

test('a wrong option or runner is exit code 2 with words', async () => {
  const place = workPlace();
  const rounds = await runCheck(place, ['--rounds', '0']);
  assert.equal(rounds.exitCode, 2);
  assert.match(rounds.stderr, /--rounds takes a whole number from 1 to 20, not "0"/);
  const runner = await runCheck(place, ['--runner', 'nowhere']);
  assert.equal(runner.exitCode, 2);
  assert.match(runner.stderr, /there is no runner at .*nowhere/);
  const device = await runCheck(place, ['--device', 'GPU-none']);
  assert.equal(device.exitCode, 5);
  assert.match(device.stderr, new RegExp(`No usable GPU is called GPU-none\\. There is: ${card}`));
});

test('the sources run as they are, too', async () => {
  const { exitCode, stderr } = await runCheck(workPlace(), [], { GPUMARK_SIM_FAULT: 'no-device' }, sources);
  assert.equal(exitCode, 5);
  assert.match(stderr, /No GPU that can be measured/);
});
