import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { deploy } from '../e2e/deployment.ts';
import { buildDrivers, oneSmallCard, SHORTENED } from '../e2e/simulated-machine.ts';
import { startSlurm, whyNoSlurm, type Slurm } from '../support/slurm.ts';
import { root } from '../support/source-files.ts';
import { until } from '../support/until.ts';

const script = join(root, 'containers/slurm/gpumark.sbatch');
const gate = join(root, 'containers/slurm/gate-node.sh');
const agent = join(root, 'dist/gpumark-agent');

describe('under Slurm, three nodes', { skip: whyNoSlurm, timeout: 900_000 }, () => {
  const closers: (() => Promise<void>)[] = [];
  let slurm: Slurm;
  before(async () => {
    slurm = await startSlurm(
      { after: (close) => void closers.push(close) },
      { settings: 'Prolog=FOLDER/prolog\nPrologFlags=Alloc' },
    );
    // Until a test says otherwise every node passes.
    await program('prolog', 'exit 0');
  });
  after(async () => {
    for (const close of closers.toReversed()) await close();
  });

  async function program(name: string, text: string): Promise<string> {
    const path = join(slurm.folder, name);
    await writeFile(path, `#!/bin/bash\n${text}\n`);
    await chmod(path, 0o755);
    return path;
  }

  const submit = (words: string[], environment: Record<string, string>) =>
    slurm.call(['sbatch', '--parsable', '--wait', `--output=${slurm.folder}/out-%j`, ...words, script], environment);
  const stateOf = async (node: string) =>
    (await slurm.call(['sinfo', '-h', '-n', node, '-o', '%T|%E'])).stdout.trim().split('|');

  test(
    'a job of three nodes from one token: each runs one agent, the results are delivered, the exit code is theirs',
    { skip: existsSync(agent) ? false : 'needs dist/gpumark-agent: make agent' },
    async (t) => {
      await buildDrivers();
      const deployment = await deploy(t);
      const job = await deployment.customer.createJob({ benchmarks: ['quick_mark'], node_count: 3 });
      // Three nodes that are one machine tell themselves apart by this alone.
      const cards = Object.entries(oneSmallCard).map(([name, value]) => `${name}=${value}`);
      const own = `export ${cards.join(' ')} GPUMARK_MACHINE_ID=$SLURMD_NODENAME GPUMARK_STATE_DIR=${slurm.folder}/spool-of-$SLURMD_NODENAME`;
      const wrapped = await program('agent', `${own}\nexec ${agent} ${SHORTENED.join(' ')} "$@"`);
      const line = job.launch.slurm;
      assert.equal(line, `GPUMARK_API_KEY=${job.token} sbatch --nodes=3 gpumark.sbatch`);
      const ended = await submit(['--nodes=3'], { GPUMARK_API_KEY: job.token, GPUMARK_AGENT: wrapped });
      const output = await readFile(join(slurm.folder, `out-${ended.stdout.trim()}`), 'utf8').catch(() => '');
      assert.ok(ended.code === 0 || ended.code === 3, `exit ${ended.code}: ${ended.stderr}\n${output}`);
      const done = await deployment.customer.waitForReport(job.id);
      assert.match(done.state, /^completed/);
      assert.equal(done.tasks.length, 3);
      assert.ok(done.tasks.every((task) => task.benchmark_results['quick_mark']));
    },
  );

  test('the worst exit code of the agents is the job’s', async () => {
    const codes = await program('codes', 'case $SLURMD_NODENAME in n1) exit 3 ;; n2) exit 7 ;; *) exit 0 ;; esac');
    const ended = await submit(['--nodes=3'], { GPUMARK_API_KEY: 'token', GPUMARK_AGENT: codes });
    assert.equal(ended.code, 7, ended.stderr);
    const { stdout } = await slurm.call(['scontrol', 'show', 'job', ended.stdout.trim()]);
    assert.match(stdout, /JobState=FAILED[^]*ExitCode=7:0/);
  });

  test('without a token the script says how to give one', async () => {
    const ended = await submit(['--nodes=1'], { GPUMARK_API_KEY: '' });
    assert.equal(ended.code, 2);
  });

  test('a node that its quick test fails is drained with the reason; a job short of nodes ends by its deadline', async () => {
    // The agent of the gate: well on two nodes, too slow on the third.
    const tested = await program('gated', 'case $SLURMD_NODENAME in n2) exit 8 ;; *) exit 0 ;; esac');
    const fine = await program('fine', 'exit 0');
    const scontrol = (await slurm.call(['bash', '-c', 'command -v scontrol'])).stdout.trim();
    await writeFile(
      join(slurm.folder, 'gate.conf'),
      `GPUMARK_AGENT=${tested}\nGPUMARK_GATE_STATE=${slurm.folder}/gate\nexport PATH=$PATH:${join(scontrol, '..')} SLURM_CONF=${slurm.folder}/slurm.conf\n`,
    );
    await program('prolog', `export GPUMARK_GATE_CONF=${slurm.folder}/gate.conf\nexec ${gate}`);
    const words = ['--nodes=3', '--time=1', '--deadline=now+65seconds'];
    const submitted = slurm.call(['sbatch', '--parsable', `--output=${slurm.folder}/out-%j`, ...words, script], {
      GPUMARK_API_KEY: 'token',
      GPUMARK_AGENT: fine,
    });
    const id = (await submitted).stdout.trim();
    const [state, reason] = await until(
      'the node to be drained',
      async () => {
        const found = await stateOf('n2');
        return found[0]?.startsWith('drain') ? found : null;
      },
      500,
      90_000,
    );
    assert.match(state ?? '', /^drain/);
    assert.equal(reason, 'gpumark: slower than its thresholds (exit 8)');
    assert.ok(existsSync(join(slurm.folder, 'gate/n1.good')), 'the others passed');
    // Requeued, it waits for three nodes where two are left, and not for ever.
    const last = await until(
      'the job to end',
      async () => {
        const { stdout } = await slurm.call(['scontrol', 'show', 'job', id]);
        return /JobState=(DEADLINE|CANCELLED|FAILED|TIMEOUT)/.exec(stdout)?.[1] ?? null;
      },
      1000,
      200_000,
    );
    assert.equal(last, 'DEADLINE');
    await slurm.call(['scontrol', 'update', 'NodeName=n2', 'State=RESUME']);
  });
});
