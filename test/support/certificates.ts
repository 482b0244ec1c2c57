import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificates {
  /** Path of the authority's certificate. */
  ca: string;
  key: Buffer;
  cert: Buffer;
}

/** An authority of the test's own and a certificate of it for 127.0.0.1 and coordinator.test, made in `folder`. */
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
  make('server', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:coordinator.test', ...signed);
  return { ca: at('ca.pem'), key: readFileSync(at('server.key')), cert: readFileSync(at('server.pem')) };
}

/**
 * An authority's certificate for 127.0.0.1 with these times of validity, as YYYYMMDDHHMMSSZ, made in `folder`. Servers
 * and clients use it directly.
 */
export function certificateOf(folder: string, from: string, to: string): Certificates {
  mkdirSync(folder, { recursive: true });
  const at = (name: string): string => join(folder, name);
  const openssl = (...options: string[]): void => void execFileSync('openssl', options, { stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', at('server.key')];
  const named = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  openssl('req', '-new', ...key, '-out', at('server.csr'), ...named);
  // Only `openssl ca` takes dates; it wants a configuration and a list of what it has signed.
  writeFileSync(at('index'), '');
  const policy = 'policy = p\ncopy_extensions = copy\n[p]\ncommonName = supplied\n';
  writeFileSync(
    at('ca.cnf'),
    `[ca]\ndefault_ca = d\n[d]\ndatabase = ${at('index')}\nnew_certs_dir = ${folder}\nrand_serial = yes\ndefault_md = sha256\n${policy}`,
  );
  const signed = ['-selfsign', '-keyfile', at('server.key'), '-in', at('server.csr'), '-out', at('server.pem')];
  openssl('ca', '-batch', '-notext', '-config', at('ca.cnf'), ...signed, '-startdate', from, '-enddate', to);
  return { ca: at('server.pem'), key: readFileSync(at('server.key')), cert: readFileSync(at('server.pem')) };
}
