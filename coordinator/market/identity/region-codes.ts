/** How AWS shortens the words of a region in the names of its zones and on its bills: `apne1-az4`, `USW2`. */
const short: Readonly<Record<string, string>> = {
  gov: 'g',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  central: 'c',
  northeast: 'ne',
  northwest: 'nw',
  southeast: 'se',
  southwest: 'sw',
};

/**
 * The codes that a region's name may be, the name itself first: without the letter of a zone, AWS's short name written
 * out, Azure's name without blanks. AWS writes `us-east-1-bue-1a` for a zone of `us-east-1-bue-1`, which is in Buenos Aires:
 * one letter goes, and never more, for the region it hangs on may be in another country.
 */
export function regionCodes(
  rows: readonly { provider: string; region: string }[],
): (provider: string, region: string) => string[] {
  const awsShort = new Map(
    rows
      .filter(({ provider, region }) => provider === 'aws' && /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region))
      .map(({ region }) => [shortOf(region), region]),
  );
  return (provider, region) => {
    if (provider === 'aws') {
      const written = awsShort.get(region.toLowerCase().replace(/-az\d+$/, ''));
      return written === undefined ? [region, region.replace(/(?<=\d)[a-z]$/i, '')] : [written];
    }
    if (provider === 'gcp') return [region, region.replace(/-[a-z]$/i, '')];
    if (provider === 'azure') return [region, region.toLowerCase().replaceAll(/[^a-z0-9]/g, '')];
    return [region];
  };
}

/** `ap-northeast-1` -> `apne1` */
const shortOf = (region: string): string =>
  region
    .split('-')
    .map((word, at) => (at === 0 ? word : (short[word] ?? word)))
    .join('');
