/** Words of a source that mean no product, provider or model that we know. */
export interface UnmatchedLabel {
  kind: 'product' | 'provider' | 'model';
  label: string;
  rows: number;
  /** YYYY-MM-DD */
  firstSeen: string;
  lastSeen: string;
}
