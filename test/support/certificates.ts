import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificates {
  /** Path of the authority's certificate. */
  ca: string;
  key: Buffer;
  cert: Buffer;
}

/** An authority of the test's own and a certificate of it for 127.0.0.1, made in `folder`. */
export function makeCertificates(folder: string): Certificates {
  const at = (name: string): string => join(folder, name);
  const make = (name: string, ...options: string[]): void => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', at(`${name}.key`)];
    execFileSync('openssl', ['req', '-x509', ...key, '-out', at(`${name}.pem`), '-days', '2', ...options], {
      stdio: 'ignore',
    });
  };
  make('ca', '-subj', '/CN=authority of a test');
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key')];
  make('server', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', ...signed);
  return { ca: at('ca.pem'), key: readFileSync(at('server.key')), cert: readFileSync(at('server.pem')) };
}
