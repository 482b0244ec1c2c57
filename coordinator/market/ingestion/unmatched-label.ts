/** Words of a source that mean no product, or no provider, that we know. */
export interface UnmatchedLabel {
  kind: 'product' | 'provider';
  label: string;
  rows: number;
  /** YYYY-MM-DD */
  firstSeen: string;
  lastSeen: string;
}
