interface Download<Row> {
  fileName: string;
  /** The first line, with its end. */
  head: string;
  /** The rows after that one, at most `atOnce`; null: from the beginning. */
  rowsAfter: (last: Row | null) => Promise<readonly Row[]>;
  atOnce: number;
  /** One line, with its end. */
  record: (row: Row) => string;
}

/** A CSV read piece by piece as the client takes it: a slow client holds no connection to the database. */
export function csvDownload<Row>({ fileName, head, rowsAfter, atOnce, record }: Download<Row>): Response {
  const encoder = new TextEncoder();
  let last: Row | null = null;
  let begun = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const rows = await rowsAfter(last);
      const text = (begun ? '' : head) + rows.map(record).join('');
      begun = true;
      if (text !== '') controller.enqueue(encoder.encode(text));
      last = rows.at(-1) ?? null;
      if (rows.length < atOnce) controller.close();
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  });
}
