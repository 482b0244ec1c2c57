import type { BandwidthCell } from '../contract/bandwidth-matrix.ts';
import { type Fabric, fabricOf } from './fabric-links.ts';
import { gpuPeak, isPart } from './gpu-peaks.ts';
import type { JudgedDevice } from './judge-spec-band.ts';
import { median } from './statistics.ts';

type Cell = Pick<BandwidthCell, 'source_gpu' | 'target_gpu' | 'simplex_gbs' | 'connection_type'>;

/** What a rule says of the copies from one GPU to another. */
export interface PairFinding {
  verdict: 'warn' | 'bad';
  /** the rule and its numbers: "links: ..." */
  reason: string;
}

/** Fewest cells of one kind of path for a median. */
const PEERS_MIN = 3;
/**
 * Limits of the deviation below the median of the same kind of path. Copies through the host pass different sockets and switches.
 */
const LIMITS = { fabric: { warn: 0.03, bad: 0.05 }, host: { warn: 0.1, bad: 0.25 } } as const;

/**
 * Copies between the GPUs of a node: against the links that the model's board has for each pair, then against the other pairs
 * with the same kind of path. The number of links in a path's name does not make another kind: a pair that lost one of four would
 * be compared with itself alone. Cells without a speed are left out.
 * @returns the worst finding of each cell that has one
 */
export function judgePairs<C extends Cell>(devices: readonly JudgedDevice[], cells: readonly C[]): Map<C, PairFinding> {
  const byId = new Map(devices.map((device) => [device.device_id, device]));
  const measured = cells.filter(({ simplex_gbs }) => simplex_gbs !== null && simplex_gbs > 0);
  const ends = new Map(measured.map((cell) => [cell, endsOf(cell, byId, devices)]));
  const found = new Map<C, PairFinding>();
  const peers = peerFindings(measured, (cell) => ends.get(cell) ?? null);
  for (const cell of measured) {
    const pair = ends.get(cell) ?? null;
    const [peer, links] = [peers.get(cell), pair === null ? null : linkFinding(cell, pair)];
    const worst = peer?.verdict === 'bad' ? peer : (links ?? peer);
    if (worst !== undefined) found.set(cell, worst);
  }
  return found;
}

/** Two GPUs of one known model, whole and real. */
interface Pair {
  model: string;
  fabric: Fabric;
  /** cards of this model in the node */
  count: number;
  /** least links that either card says are up; null if neither says */
  active: number | null;
}

function endsOf(cell: Cell, byId: ReadonlyMap<string, JudgedDevice>, devices: readonly JudgedDevice[]): Pair | null {
  const both = [byId.get(cell.source_gpu), byId.get(cell.target_gpu)];
  const models = both.map((device) => (device === undefined ? null : modelOf(device)));
  const [model = null, other] = models;
  const fabric = model === null || model !== other ? null : fabricOf(model);
  if (model === null || fabric === null) return null;
  const active = both.flatMap((device) => {
    const up = device?.attributes['nvlink_active'];
    return typeof up === 'number' && Number.isInteger(up) ? [up] : [];
  });
  const count = devices.filter((device) => modelOf(device) === model).length;
  return { model, fabric, count, active: active.length === 0 ? null : Math.min(...active) };
}

/** A simulated card has the name of a real one, and a slice has fewer links than its card. */
const modelOf = (device: JudgedDevice): string | null =>
  device.vendor === 'cpu' || device.simulated || isPart(device) ? null : (gpuPeak(device.name)?.name ?? null);

const isFabric = (path: string): boolean => /^(NVLink|xGMI)/.test(path);
/** Links by the path's name, "NVLink x18"; null if it has none. */
const linksIn = (path: string): number | null => Number(/^NVLink x(\d{1,2})$/.exec(path)?.[1] ?? Number.NaN) || null;

/** A board of four joins each pair directly, by a third of a card's links, all of which are then up. */
const CARDS_OF_DIRECT_BOARD = 4;

function linkFinding(cell: Cell, pair: Pair): PairFinding | null {
  const { fabric, model } = pair;
  const path = cell.connection_type;
  const direct = fabric.links / 3;
  const isDirect =
    Number.isInteger(direct) && pair.count <= CARDS_OF_DIRECT_BOARD && (pair.active ?? fabric.links) === fabric.links;
  const told = linksIn(path);
  const warn = (reason: string): PairFinding => ({ verdict: 'warn', reason: `links: ${reason}` });
  const is = `${printed(cell.simplex_gbs ?? 0)} GB/s`;
  if (fabric.layout === 'board') {
    const least = (isDirect ? direct : fabric.links) * fabric.link_gbs * fabric.floor;
    if (!isFabric(path)) {
      // Without the management library no path is known: a speed that only NVLink has tells it.
      if (path === 'unknown' && (cell.simplex_gbs ?? 0) >= least) return null;
      return warn(
        `${is} by ${path}: the board of ${model} joins its cards by ${fabric.links} NVLinks each; check nvidia-fabricmanager and that peer access is not disabled`,
      );
    }
    if (told !== null && told < fabric.links && !(isDirect && told === direct))
      return warn(
        `${told} of the ${fabric.links} NVLinks of ${model}${isDirect ? ` (or ${direct}, on a board of four without switches)` : ''}`,
      );
  }
  const count =
    told ??
    (fabric.layout === 'board'
      ? isDirect
        ? direct
        : fabric.links
      : fabric.layout === 'mesh' && path === 'xGMI'
        ? 1
        : null);
  if (count === null || !isFabric(path)) return null;
  const wire = count * fabric.link_gbs;
  if ((cell.simplex_gbs ?? 0) >= fabric.floor * wire) return null;
  return warn(
    `${is} is below ${fabric.floor} of the ${printed(wire)} GB/s of ${count} ${count === 1 ? 'link' : 'links'} (${fabric.source})`,
  );
}

const printed = (value: number): string => String(Number(value.toPrecision(4)));

function peerFindings<C extends Cell>(measured: readonly C[], pairOf: (cell: C) => Pair | null): Map<C, PairFinding> {
  const found = new Map<C, PairFinding>();
  for (const group of Map.groupBy(measured, (cell) => kindOf(cell, pairOf(cell))).values()) {
    if (group.length < PEERS_MIN) continue;
    const middle = median(group.map(({ simplex_gbs }) => simplex_gbs ?? 0));
    for (const cell of group) {
      const limits = LIMITS[isFabric(cell.connection_type) ? 'fabric' : 'host'];
      const below = 1 - (cell.simplex_gbs ?? 0) / middle;
      if (below <= limits.warn) continue;
      const reason = `peers: ${(below * 100).toFixed(1)} % below the median of the ${pathName(cell)} copies`;
      found.set(cell, { verdict: below > limits.bad ? 'bad' : 'warn', reason });
    }
  }
  return found;
}

/** Boards that join pairs differently: by the count in the name if there is one, else each pair only with itself the other way. */
function kindOf(cell: Cell, pair: Pair | null): string {
  const { connection_type: path } = cell;
  if (!isFabric(path)) return path;
  if (pair?.fabric.layout !== 'irregular') return `${pathName(cell)} ${pair?.model ?? ''}`;
  return linksIn(path) === null ? [cell.source_gpu, cell.target_gpu].toSorted().join('\n') : `${path} ${pair.model}`;
}

const pathName = ({ connection_type: path }: Cell): string => (linksIn(path) === null ? path : 'NVLink');
