/** Bytes that one body holds of a pool. */
export interface Share {
  /** False: the body is to be given up, since its holder has more than others or more than one may have. */
  add: (bytes: number) => boolean;
  end: () => void;
}

/**
 * Takes the place of what reaches the request. Tables that V8 gave up link to those that follow them, so that what stands in one
 * of them lives on until the next full collection.
 */
export const over = (): void => undefined;

interface Holding {
  holder: string;
  bytes: number;
  giveUp: () => void;
}

/**
 * A bounded number of bytes for all, shared by holders: customers, or addresses. No holder has more than `perHolder`; if
 * all is taken, the holder with the most loses its largest body, so one that asks for little always gets it.
 */
export class FairBytes {
  private readonly total: number;
  private readonly perHolder: number;
  private taken = 0;
  private readonly holders = new Map<string, { bytes: number; holdings: Set<Holding> }>();

  constructor({ total, perHolder }: { total: number; perHolder: number }) {
    this.total = total;
    this.perHolder = perHolder;
  }

  /** `giveUp` is called if the bytes are needed by another holder; it must end the share. */
  open(holder: string, giveUp: () => void): Share {
    const holding = { holder, bytes: 0, giveUp };
    const known = this.holders.get(holder) ?? { bytes: 0, holdings: new Set() };
    this.holders.set(holder, known);
    known.holdings.add(holding);
    return { add: (bytes) => this.add(holding, bytes), end: () => this.end(holding) };
  }

  private add(holding: Holding, bytes: number): boolean {
    const known = this.holders.get(holding.holder);
    if (!known?.holdings.has(holding) || known.bytes + bytes > this.perHolder) return false;
    while (this.taken + bytes > this.total) {
      const most = this.largest();
      if (!most || most.bytes <= known.bytes + bytes) return false;
      const largest = [...most.holdings].reduce((a, b) => (b.bytes > a.bytes ? b : a));
      const { giveUp } = largest;
      this.end(largest);
      giveUp();
    }
    known.bytes += bytes;
    holding.bytes += bytes;
    this.taken += bytes;
    return true;
  }

  private largest() {
    return [...this.holders.values()].reduce<{ bytes: number; holdings: Set<Holding> } | null>(
      (a, b) => (a && a.bytes >= b.bytes ? a : b),
      null,
    );
  }

  private end(holding: Holding): void {
    const known = this.holders.get(holding.holder);
    if (!known?.holdings.delete(holding)) return;
    known.bytes -= holding.bytes;
    holding.giveUp = over;
    this.taken -= holding.bytes;
    if (known.holdings.size === 0) this.holders.delete(holding.holder);
  }
}
