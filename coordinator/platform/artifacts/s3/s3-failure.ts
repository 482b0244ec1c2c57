import type { S3Settings } from './s3-settings.ts';
import { StoreError } from '../../errors.ts';

type Cause = { status: number; text: string } | { error: unknown };

/** The store's code -> what is wrong and how to fix it. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const REMEDIES: Record<string, string> = {
  InvalidAccessKeyId: 'it does not know AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'it refuses the signature: AWS_SECRET_ACCESS_KEY or AWS_REGION is wrong',
  AccessDenied: 'access is denied: grant this key read, write and delete on the bucket',
  NoSuchBucket: 'there is no such bucket: make it, or correct ARTIFACT_URL',
  RequestTimeTooSkewed: 'the clocks differ by more than 15 minutes: set the clock of this machine',
  ExpiredToken: 'AWS_SESSION_TOKEN has expired',
  QuotaExceeded: 'the bucket is full: raise its quota',
  ServiceUnavailable: 'it is overloaded or down for the moment',
  SlowDown: 'it is overloaded for the moment',
};

const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up just now',
  ECONNRESET: 'it closed the connection',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted: set NODE_EXTRA_CA_CERTS to its authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted: set NODE_EXTRA_CA_CERTS to its authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted: set NODE_EXTRA_CA_CERTS to its authority',
};

/** One sentence; never contains a key, a signature or the store's own message. */
export function s3Failure({ endpoint, bucket }: S3Settings, cause: Cause): StoreError {
  return new StoreError(`The object store ${endpoint}, bucket "${bucket}", cannot be used: ${reasonOf(cause)}.`);
}

function reasonOf(cause: Cause): string {
  if ('error' in cause) return networkReason(cause.error);
  const code = /<Code>(\w{1,60})<\/Code>/.exec(cause.text)?.[1];
  if (code !== undefined) return REMEDIES[code] ?? `it answers ${cause.status} ${code}`;
  // HEAD has no body.
  if (cause.status === 403)
    return 'it refuses AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or does not let them do that';
  if (cause.status === 404) return REMEDIES['NoSuchBucket'] ?? '';
  return `it answers ${cause.status}`;
}

function networkReason(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
  return NETWORK[code] ?? (code === '' ? 'the connection failed' : `the error is ${code}`);
}
