interface Download<Row> {
  fileName: string;
  /** The header line, including its line break. */
  head: string;
  /** The next `atOnce` rows after `last`, fewer only at the end; null: from the beginning. */
  rowsAfter: (last: Row | null) => Promise<readonly Row[]>;
  atOnce: number;
  /** The line of one row, including its line break. */
  record: (row: Row) => string;
}

/** Streams a CSV at the client's pace: a slow client holds no database connection between pieces. */
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
