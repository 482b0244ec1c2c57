const types: Record<string, string> = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  gz: 'application/gzip',
  zip: 'application/zip',
  json: 'application/json',
};

/** How the stored bytes go out: as they are, as the packing of a CSV file (Content-Encoding), or unpacked. */
type Packing = 'none' | 'gzip' | 'unpacked';

/** Text that is stored packed: its name says that it is CSV, the stored object that it is gzip. */
export const isPackedCsv = (object: string, fileName: string): boolean =>
  object.endsWith('.gz') && fileName.endsWith('.csv');

/** Headers of a download: `object` is the stored name "<sha256>.<extension>", `fileName` what it is saved under. */
export function downloadHeaders(object: string, fileName: string, packing: Packing = 'none'): Record<string, string> {
  const [hash = '', stored = ''] = object.split('.');
  const extension = packing === 'none' ? stored : 'csv';
  return {
    'Content-Type': types[extension] ?? 'application/octet-stream',
    'Content-Disposition': contentDisposition(fileName),
    'X-Content-Type-Options': 'nosniff',
    // Other bytes, another tag.
    ETag: packing === 'unpacked' ? `"${hash}-plain"` : `"${hash}"`,
    'Cache-Control': 'private, no-cache',
    ...(packing === 'none' ? {} : { Vary: 'Accept-Encoding' }),
    ...(packing === 'gzip' ? { 'Content-Encoding': 'gzip' } : {}),
  };
}

/** RFC 6266: an ASCII name for old clients, the whole name percent-encoded for the others. */
function contentDisposition(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7E]/g, '_').replaceAll(/["\\/%]/g, '_');
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
