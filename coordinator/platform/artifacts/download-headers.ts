const types: Record<string, string> = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  gz: 'application/gzip',
  zip: 'application/zip',
  json: 'application/json',
};

/** Headers of a download: `object` is the stored name "<sha256>.<extension>", `fileName` what it is saved under. */
export function downloadHeaders(object: string, fileName: string): Record<string, string> {
  const [hash = '', extension = ''] = object.split('.');
  return {
    'Content-Type': types[extension] ?? 'application/octet-stream',
    'Content-Disposition': contentDisposition(fileName),
    'X-Content-Type-Options': 'nosniff',
    ETag: `"${hash}"`,
    'Cache-Control': 'private, no-cache',
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
