import { z } from 'zod';

/** Settings of the environment, and what becomes of them. */
export const s3Fields = {
  ARTIFACT_URL: z
    .string()
    .regex(
      /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w.-]+)*\/?$/,
      'must be s3://BUCKET or s3://BUCKET/PREFIX, the prefix of letters, digits and . _ -',
    )
    .optional(),
  ARTIFACT_LINKS: z.enum(['coordinator', 'store']).default('coordinator'),
  AWS_ENDPOINT_URL_S3: z.url({ protocol: /^https?$/ }).optional(),
  AWS_REGION: z.string().min(1).max(100).default('us-east-1'),
  AWS_ACCESS_KEY_ID: z.string().min(1).max(500).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).max(500).optional(),
  AWS_SESSION_TOKEN: z.string().min(1).max(5000).optional(),
};

/** Artifact store if not DATA_DIR: any S3-compatible one, with path-style addresses. */
export interface S3Settings {
  endpoint: string;
  bucket: string;
  /** prefix of all keys with its trailing slash, or empty */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | null;
  /** True: links point to the store itself, which customers must then be able to reach; false: to the coordinator. */
  linksToStore: boolean;
}

/** Throws an error whose message names the missing settings. */
export function s3Of(value: z.infer<z.ZodObject<typeof s3Fields>>): S3Settings | null {
  if (value.ARTIFACT_URL === undefined) return null;
  if (value.AWS_ACCESS_KEY_ID === undefined || value.AWS_SECRET_ACCESS_KEY === undefined)
    throw new Error('ARTIFACT_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  const [bucket = '', ...folders] = value.ARTIFACT_URL.slice('s3://'.length).split('/').filter(Boolean);
  return {
    endpoint: (value.AWS_ENDPOINT_URL_S3 ?? `https://s3.${value.AWS_REGION}.amazonaws.com`).replace(/\/+$/, ''),
    bucket,
    prefix: folders.map((folder) => `${folder}/`).join(''),
    region: value.AWS_REGION,
    accessKeyId: value.AWS_ACCESS_KEY_ID,
    secretAccessKey: value.AWS_SECRET_ACCESS_KEY,
    sessionToken: value.AWS_SESSION_TOKEN ?? null,
    linksToStore: value.ARTIFACT_LINKS === 'store',
  };
}
