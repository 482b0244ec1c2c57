const types: Record<string, string> = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  gz: 'application/gzip',
  zip: 'application/zip',
  json: 'application/json',
};

/** How the stored bytes are sent: as they are, as a CSV file in gzip (Content-Encoding), or unpacked. */
export type Packing = 'none' | 'gzip' | 'unpacked';

/** CSV that is stored as gzip: the file name ends in .csv, the stored object in .gz. */
export const isPackedCsv = (object: string, fileName: string): boolean =>
  object.endsWith('.gz') && fileName.endsWith('.csv');

/** Headers of a download: `object` is the stored name "<sha256>.<extension>", `fileName` the name to save it under. */
export function downloadHeaders(object: string, fileName: string, packing: Packing = 'none'): Record<string, string> {
  const [hash = '', stored = ''] = object.split('.');
  const extension = packing === 'none' ? stored : 'csv';
  return {
    'Content-Type': types[extension] ?? 'application/octet-stream',
    'Content-Disposition': contentDisposition(fileName),
    'X-Content-Type-Options': 'nosniff',
    // Different bytes need a different tag.
    ETag: packing === 'unpacked' ? `"${hash}-plain"` : `"${hash}"`,
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    ...(packing === 'none' ? {} : { Vary: 'Accept-Encoding' }),
    ...(packing === 'gzip' ? { 'Content-Encoding': 'gzip' } : {}),
  };
}

/** RFC 6266: an ASCII name for old clients, the full name percent-encoded for the others. */
function contentDisposition(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7E]/g, '_').replaceAll(/["\\/%]/g, '_');
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
