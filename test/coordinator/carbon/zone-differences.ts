/** A region whose zone in our table is not the one of Electricity Maps' list of data centers. */
export interface ZoneDifference {
  /** as in our table */
  provider: string;
  code: string;
  ours: string;
  theirs: string;
  reason: string;
}

export const zoneDifferences: readonly ZoneDifference[] = [
  {
    provider: 'gcp',
    code: 'us-west1',
    ours: 'US-NW-BPAT',
    theirs: 'US-NW-PACW',
    reason:
      'The Dalles is served by Northern Wasco County PUD, a customer of Bonneville Power Administration inside its balancing area.',
  },
  {
    provider: 'ovhcloud',
    code: 'us-hillsboro',
    ours: 'US-NW-PGE',
    theirs: 'US-NW-BPAT',
    reason: 'Hillsboro, Oregon, is served by Portland General Electric, which is a balancing authority of its own.',
  },
];
