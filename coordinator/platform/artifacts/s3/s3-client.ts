import { AwsClient } from 'aws4fetch';
import type { S3Settings } from './s3-settings.ts';
import { s3Failure } from './s3-failure.ts';

/** Timeout of one call: as long as a part of 16 MiB takes at 300 KiB/s. */
const CALL_MS = 60_000;
/** Retries of temporary failures of the store (5xx, 429), after pauses that start at 0.1 s and double. */
const RETRIES = 4;
const FIRST_PAUSE_MS = 100;

interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** key below the prefix; empty: the bucket itself */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
  /** Statuses besides 2xx that are not a failure. */
  also?: readonly number[];
  /** True: no timeout, for a body that is read piece by piece. */
  untimed?: boolean;
}

export interface S3Client {
  /** The answer. @throws one sentence that says why the store refuses, and which setting fixes it */
  call: (call: S3Call) => Promise<Response>;
  /** A URL that anybody can GET for that long without a credential. */
  presign: (key: string, query: Record<string, string>, lifetimeSeconds: number, now: Date) => Promise<string>;
}

/** Signed calls (AWS Signature Version 4) to one bucket, with path-style addresses, which every store supports. */
export function createS3Client(settings: S3Settings, now: () => Date): S3Client {
  const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey, sessionToken } = settings;
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === null ? {} : { sessionToken }),
    service: 's3',
    region,
    retries: RETRIES,
    initRetryMs: FIRST_PAUSE_MS,
  });
  const urlOf = (key: string, query: Record<string, string> = {}): string => {
    const url = new URL(`${endpoint}/${bucket}${key === '' ? '' : `/${prefix}${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  };
  return {
    call: async ({ method, key, query, headers, body, also = [], untimed = false }) => {
      const answer = await client
        .fetch(urlOf(key, query), {
          method,
          headers: headers ?? {},
          ...(body ? { body: new Uint8Array(body) } : {}),
          ...(untimed ? {} : { signal: AbortSignal.timeout(CALL_MS) }),
          aws: { datetime: amzDate(now()) },
        })
        .catch((error: unknown) => {
          throw s3Failure(settings, { error });
        });
      if (answer.ok) return answer;
      if (also.includes(answer.status)) {
        // Nobody reads its text, and unread it would keep the connection.
        await answer.body?.cancel();
        return answer;
      }
      throw s3Failure(settings, { status: answer.status, text: await answer.text() });
    },
    presign: async (key, query, lifetimeSeconds, at) => {
      const url = new URL(urlOf(key, { ...query, 'X-Amz-Expires': String(lifetimeSeconds) }));
      const signed = await client.sign(url.href, { aws: { signQuery: true, datetime: amzDate(at) } });
      return signed.url;
    },
  };
}

/** 20261124T031500Z */
const amzDate = (date: Date): string => date.toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
