/** A row of machine types of one cloud that hold the same accelerator. */
export interface MachineSeries {
  label: string;
  /** GB of one accelerator */
  memoryGb: number;
  /** as of the products: SXM, PCIe, NVL, OAM, superchip; null: not told apart for this accelerator */
  formFactor: string | null;
  /** full names of the types, parted by blanks, by the accelerators in one machine; a part of one is a fraction */
  types: readonly (readonly [count: number, names: string])[];
}

/** `sizes('g5', 'xlarge 2xlarge')` -> `g5.xlarge g5.2xlarge` */
export const sizes = (family: string, names: string): string =>
  names
    .split(' ')
    .map((name) => `${family}.${name}`)
    .join(' ');
