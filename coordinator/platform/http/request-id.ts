/** A header of a request, by its name in small letters. */
export type ReadHeader = (name: string) => string | undefined;

/** What we are willing to write into our log and echo. */
const sane = /^[A-Za-z0-9._-]{8,128}$/;
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

const ID_BYTES = 16;
/** Random bytes fetched at a time: one call costs as much for 16 as for thousands, 6 us. */
const POOL_BYTES = ID_BYTES * 256;

/** Gives the caller's X-Request-Id, or the trace id of its traceparent, or a new one of 128 random bits. */
export function requestIds(randomBytes: (count: number) => Buffer): (header: ReadHeader) => string {
  let pool: Buffer = Buffer.alloc(0);
  const fresh = (): string => {
    if (pool.length === 0) pool = randomBytes(POOL_BYTES);
    const id = pool.toString('hex', 0, ID_BYTES);
    pool = pool.subarray(ID_BYTES);
    return id;
  };
  return (header) => {
    const given = header('x-request-id');
    if (given !== undefined && sane.test(given)) return given;
    return traceIdOf(header) ?? fresh();
  };
}

export function traceIdOf(header: ReadHeader): string | null {
  const given = header('traceparent');
  return given === undefined ? null : (traceparent.exec(given)?.[1] ?? null);
}
