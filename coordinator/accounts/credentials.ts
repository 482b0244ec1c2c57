import type { Platform } from '../platform/context.ts';
import type { Verifier } from '../platform/http/auth/authenticate.ts';
import { credentialCaches } from './credential-caches.ts';
import { jobVerifier } from './job-verifier.ts';
import { loginVerifier } from './login-verifier.ts';
import { programVerifier } from './programs/program-verifier.ts';

/**
 * Every kind of bearer credential, told apart by how it begins: a JWT by its kid (`login-`, `job-`), an opaque one by
 * its prefix. A credential that none recognises is 401.
 */
export function credentialVerifiers(platform: Platform): Verifier[] {
  const caches = credentialCaches(platform);
  return [
    loginVerifier(platform, caches),
    jobVerifier(platform, caches),
    programVerifier(platform, caches, 'app_token'),
    programVerifier(platform, caches, 'api_key'),
  ];
}
