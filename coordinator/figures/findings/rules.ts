import type { HealthAction } from '../../contract/health.ts';
import type { RunFinding } from '../../contract/judgement.ts';
import { cutWords } from '../cut-words.ts';

const STEADY = 'Stop other work on the machine, or give the job whole nodes (Slurm: `--exclusive`), then run it again.';
const COOLING =
  'Look at cooling and power limits: `nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER`, on AMD `amd-smi metric --power --temperature --clock`.';
const CABLE = 'Change the cable or the port of the one named, then run again.';
const RUN_AGAIN = 'Run the node again; if it stays, take it out of service and look into it.';

/**
 * What to do about a finding, by the id of its rule; health rules have an action of their own. `verdict` is the name of the rule
 * in the verdict of a figure or of a copy.
 */
export const rules = {
  verification: {
    verdict: 'verification',
    act: 'Take the device out of service and measure it again; if a result is wrong again, return it.',
  },
  figure_missing: { act: 'Find the cause with `gpumark-agent --setup` on the machine, then run it again.' },
  nothing_measured: { act: 'Find the cause with `gpumark-agent --setup` on the machine, then run it again.' },
  spread: { verdict: 'spread', act: STEADY },
  core_share: { verdict: 'core share', act: STEADY },
  issue_rate: { verdict: 'issue rate', act: STEADY },
  pcie_link: {
    verdict: 'PCIe link',
    act: 'Check seat, riser and slot of the card, and the PCIe settings of the BIOS; then run it again.',
  },
  spec_band: {
    verdict: 'spec band',
    act: 'Compare clocks, power limit and memory of the card with its data sheet: `nvidia-smi -q -d CLOCK,POWER,ECC`; run it again with nothing else on the card.',
  },
  physical_limit: {
    verdict: 'physical limit',
    act: 'Do not rely on the figure: no card of this model can reach it. Update the agent and run it again.',
  },
  lanes: {
    verdict: 'lanes',
    act: 'Look for locked clocks or other work on the card: `nvidia-smi -q -d CLOCK,PERFORMANCE`.',
  },
  peers: {
    verdict: 'peers',
    act: 'Compare power, cooling and slot of the card with its neighbours; if it stays behind, return it.',
  },
  baseline: {
    verdict: 'baseline',
    act: 'Find what changed since the baseline: driver, firmware, power limit, cooling, neighbours.',
  },
  all_at_once: {
    verdict: 'all at once',
    act: 'Look at cooling and power of the whole server (BMC: power supplies, limits, fan errors), and at what its cards share: PCIe switches, memory channels.',
  },
  throttle: { verdict: 'throttle', act: COOLING },
  ecc: {
    verdict: 'ecc',
    act: 'Take the card out of service; return it if uncorrected errors come back after a restart.',
  },
  energy_counter: {
    verdict: 'energy counter',
    act: "Take power and energy from the server's own meter; update the driver.",
  },
  engines_mixed: { act: 'Run all cards with `--engine own` to compare them.' },
  copies_links: {
    verdict: 'links',
    act: 'Check nvidia-fabricmanager and the state of the links: `nvidia-smi nvlink --status`, `dmesg`.',
  },
  copies_peers: {
    verdict: 'peers',
    act: 'Check seat, riser and switch of the pair, and `nvidia-smi topo -m`; run it again alone.',
  },
  copies_wrong: {
    verdict: 'verification',
    act: 'Do not use copies between these GPUs: what arrived differs from what was sent. Check links and slots.',
  },
  copies_missing: { verdict: 'absence', act: RUN_AGAIN },
  unranked: { act: 'Compare the figure with a second run; it is kept, and neither ranked nor used for comparison.' },
  run_warning: { act: 'The report says how it was found; run the node again to see whether it stays.' },
  run_stopped: { act: 'What it had measured by then is on its page. To measure the rest, start a new job.' },
  node_failed: { act: 'Run `gpumark-agent --setup` on it, which says what is missing, then start a new job.' },
  node_lost: {
    act: 'Check that the machine is running. An agent that reconnects resumes where it was; otherwise start it again.',
  },
  nodes_missing: {
    act: 'Start the agent on the missing machines; this job has stopped waiting for them, so create a new one.',
  },
  processors_mixed: { act: 'Install the driver on the machines without a GPU, or leave them out.' },
  node_outlier: { act: 'Compare power, cooling and settings of the node with those of its peers, then run it again.' },
  below_reference: { act: 'Compare driver, power limit, cooling and slots with machines of this model that reach it.' },
  network_incomplete: { act: 'Look at the nodes named: their log says why. Then run cluster_network again.' },
  network_partition: { act: 'Compare routes, firewalls and subnets of the groups.' },
  network_node: { act: 'Check its NIC, cable and switch port, and its firewall; then run again.' },
  network_link: { act: CABLE },
  late_result: { act: 'Nothing: the result is included.' },
} as const satisfies Record<string, { verdict?: string; act: string }>;

export type RuleId = keyof typeof rules;

/** Most characters of what a finding says it found, or of a reason. */
export const MOST_EVIDENCE = 500;

/** A finding by this table, with its action; to check, and about the machine or the job as a whole, unless said otherwise. */
export const foundBy = (
  rule: RuleId,
  evidence: string,
  { grade = 'check', nodes = [], devices = [], figures = [], link }: Partial<RunFinding> = {},
): RunFinding => ({
  rule,
  grade,
  nodes,
  devices,
  figures,
  ...(link === undefined ? {} : { link }),
  evidence: cutWords(evidence, MOST_EVIDENCE),
  action: rules[rule].act,
});

/** What a person does about a finding of a health rule, as an instruction. */
export const healthActs: Readonly<Record<HealthAction, string>> = {
  none: 'Nothing to repair; keep an eye on it.',
  check_cabling: 'Check the cable, the seat and the slot.',
  reset: 'Reset the GPU: `nvidia-smi --gpu-reset`, on AMD `amd-smi reset --gpureset`.',
  reboot: 'Restart the machine.',
  drain: 'Take it out of service and look into it.',
  return: 'Return the part.',
};

const COPY_RULES: ReadonlySet<RuleId> = new Set(['copies_links', 'copies_peers', 'copies_wrong', 'copies_missing']);
const named = Object.entries(rules).flatMap(([id, rule]): [RuleId, string][] =>
  'verdict' in rule ? [[id as RuleId, rule.verdict]] : [],
);

/** Before the words of a verdict that this coordinator judged itself. */
export const BY_COORDINATOR = 'judged by the coordinator: ';

export const withoutJudge = (words: string): string =>
  words.startsWith(BY_COORDINATOR) ? words.slice(BY_COORDINATOR.length) : words;

/**
 * The rule of a stored verdict and what it found. A verdict says "<rule>: <what>", or begins with the rule's name
 * ("spread above 8 %"); one of an unknown rule is a warning of the run.
 */
export function ruleOfVerdict(words: string, of: 'figure' | 'copy'): { rule: RuleId; evidence: string } {
  const told = withoutJudge(words);
  const isOf = (id: RuleId): boolean => id === 'spread' || COPY_RULES.has(id) === (of === 'copy');
  const found = named
    .filter(([id, name]) => isOf(id) && told.startsWith(name))
    .toSorted(([, a], [, b]) => b.length - a.length)[0];
  if (found === undefined) return { rule: 'run_warning', evidence: told || 'no reason was given' };
  const [rule, name] = found;
  const after = told.slice(name.length);
  return { rule, evidence: after.startsWith(': ') ? after.slice(2) : told };
}
