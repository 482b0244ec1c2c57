import { strips, type Strip } from '../../charts/strips.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import type { Standing } from '../facts/peers.ts';

export interface PeerRow {
  label: string;
  points: readonly Standing[];
}

/** Devices or nodes by how far they are from the median of their group. Names must be printable already. */
export function peerStrips(rows: readonly PeerRow[], peers: string): string {
  const shown = rows.map(({ label, points }): Strip => {
    const outliers = points.filter(({ marked }) => marked).length;
    return {
      label,
      note: `n ${points.length}${outliers === 0 ? '' : `, ${outliers} marked`}`,
      marks: points.map(({ name, deviation, marked }) => ({ at: deviation, sign: marked ? name : '' })),
    };
  });
  return strips(shown, {
    width: chartWidths.paper,
    axis: `percent from the median of the ${peers}   (◆ not good by its verdict)`,
  });
}
