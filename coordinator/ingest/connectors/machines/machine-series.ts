/** Machine types of one cloud that hold the same accelerator. */
export interface MachineSeries {
  label: string;
  /** GB of one accelerator */
  memoryGb: number;
  /** as in the product catalogue: SXM, PCIe, NVL, OAM, superchip; null if not distinguished for this accelerator */
  formFactor: string | null;
  /** full names of the types, separated by spaces, by accelerators per machine; part of an accelerator is a fraction */
  types: readonly (readonly [count: number, names: string])[];
}

/** `sizes('g5', 'xlarge 2xlarge')` -> `g5.xlarge g5.2xlarge` */
export const sizes = (family: string, names: string): string =>
  names
    .split(' ')
    .map((name) => `${family}.${name}`)
    .join(' ');
