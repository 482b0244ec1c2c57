/**
 * What sources print for a vendor's GB. The least: error correction in GDDR keeps a sixteenth to itself and the driver a
 * little more (an L40S of 48 GB shows 46,068 MiB, a T4 of 16 GB 15,109). The most: MiB divided by 1000. Two sizes of one
 * chip lie farther apart than that.
 */
const LEAST = 0.92;
const MOST = 1.025;

/** Sizes in GB, both ends included, that are said of the one product of a chip whose own size lies among them. */
interface StatedSizes {
  chip: string;
  ranges: readonly (readonly [from: number, to: number])[];
}

/** Chips for which the ratios are too narrow or too wide. */
const exceptions: readonly StatedSizes[] = [
  // 94 GB show as 95,830 MiB; a few H100 with 96 GB were made, and are not these
  { chip: 'H100', ranges: [[93, 95.9]] },
  // 192 GB on the chip and 180 usable; 183,359 MiB are read as 179 or as 183 GB; 185 is a GB200
  {
    chip: 'B200',
    ranges: [
      [178, 184],
      [190, 193],
    ],
  },
  // 192 GB on the chip and 186 usable; AWS counts 185
  {
    chip: 'GB200',
    ranges: [
      [184.5, 187],
      [190, 193],
    ],
  },
  // 288 GB on the chip and 268 to 270 usable; Verda says 268,288 MiB, AWS 2,100 GB of eight, the driver 275,040 MiB
  {
    chip: 'B300',
    ranges: [
      [262, 276],
      [286, 289],
    ],
  },
  // 288 GB on the chip and 279 usable
  {
    chip: 'GB300',
    ranges: [
      [277, 280],
      [284, 289],
    ],
  },
];

/** Whether all these sizes are said of a product with this memory (GB; null: not known, nothing speaks against it). */
export function fitsMemory({ chip, mem }: { chip: string; mem: number | null }, said: readonly number[]): boolean {
  if (mem === null) return true;
  const own = exceptions.find((one) => one.chip === chip && isAmong(one.ranges, mem));
  const ranges = own?.ranges ?? [[mem * LEAST, mem * MOST] as const];
  return said.every((size) => isAmong(ranges, size));
}

const isAmong = (ranges: StatedSizes['ranges'], size: number): boolean =>
  ranges.some(([from, to]) => size >= from && size <= to);
