import type { Cause, Situation } from './cause.ts';

/**
 * The variables by which each vendor's runtime chooses cards, in the order in which they apply: CUDA's programming guide,
 * "CUDA environment variables"; ROCm's documentation, "GPU isolation techniques".
 */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  nvidia: ['CUDA_VISIBLE_DEVICES'],
  amd: ['ROCR_VISIBLE_DEVICES', 'GPU_DEVICE_ORDINAL', 'HIP_VISIBLE_DEVICES', 'CUDA_VISIBLE_DEVICES'],
};
/** The program that lists a vendor's cards. */
export const listedBy = (vendor: string): string => (vendor === 'amd' ? 'amd-smi list' : 'nvidia-smi -L');
const SHOWN_MAX = 120;
const SLURM = 'Slurm sets it so in a job without GPUs: submit the job with --gres=gpu:1 or more.';

/** The variable that hides every card from the driver, with its value; null if none does, or if that cannot be told. */
export function hidingVariable({ vendor, env, cards }: Situation): Cause | null {
  for (const name of VARIABLES[vendor] ?? []) {
    const value = env[name];
    // HIP reads CUDA's variable only without its own.
    if (
      value === undefined ||
      (vendor === 'amd' && name.startsWith('CUDA') && env['HIP_VISIBLE_DEVICES'] !== undefined)
    )
      continue;
    const why = whyNone(value, cards.length);
    if (why === null) continue;
    const remedy = `Unset ${name}, or set it to the numbers or UUIDs of cards (${listedBy(vendor)}).`;
    return { cause: `${name} ${why}`, remedy: /nodevfiles/i.test(value) ? `${remedy} ${SLURM}` : remedy };
  }
  return null;
}

/** A list ends at its first invalid entry, so only the first one decides; a card that is named twice hides all. */
function whyNone(value: string, cards: number): string | null {
  const entries = value.split(',').map((entry) => entry.trim());
  const [first = ''] = entries;
  const shown = `is '${value.slice(0, SHOWN_MAX)}'`;
  if (value.trim() === '') return 'is set, but empty: that hides every card';
  if (first === '' || /^(-\d+|nodevfiles|none|void)$/i.test(first)) return `${shown}: that hides every card`;
  if (/^\d+$/.test(first) && cards > 0 && Number(first) >= cards)
    return `${shown}, but this machine has ${cards} ${cards === 1 ? 'card' : 'cards'}, counted from 0: that hides every card`;
  if (new Set(entries).size < entries.length) return `${shown}: a card that is named twice hides every card`;
  if (/^(GPU|MIG)-/.test(first)) return `${shown}, and the driver has no such UUID: that hides every card`;
  return /^\d+$/.test(first) ? null : `${shown}, neither a number nor a UUID: that hides every card`;
}
