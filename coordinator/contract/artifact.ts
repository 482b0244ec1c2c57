import { createRoute, z } from '@hono/zod-openapi';
import { access } from './access.ts';
import { errorBody } from './errors.ts';
import { json, speaks } from './operation.ts';
import { text } from './wire.ts';

/** Key of a stored object: a directory of two hex digits, so that none grows large, then its SHA-256 and extension. */
export const artifactKeyPattern = /^sha256\/[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z0-9]{1,8}$/;

const getArtifactQuery = z.object({
  name: text(200, 1).meta({ description: 'File name the download is saved under; part of what is signed' }),
  expires: z
    .string()
    .regex(/^\d{1,12}$/, 'must be Unix seconds')
    .meta({ description: 'Unix seconds' }),
  signature: z.string().regex(/^[\w-]{43}$/, 'must be 43 base64url characters'),
});
export type GetArtifactQuery = z.infer<typeof getArtifactQuery>;

export const getArtifactRoute = createRoute({
  ...access.signedUrl,
  ...speaks('error', 'Downloads'),
  'x-choice': true,
  operationId: 'get_artifact',
  summary: 'Download a report or file by its signed, expiring URL; needs no bearer token',
  method: 'get',
  path: '/artifacts/sha256/{prefix}/{object}',
  request: {
    params: z.object({
      prefix: z.string().regex(/^[0-9a-f]{2}$/, 'must be two hex digits'),
      object: z.string().regex(/^[0-9a-f]{64}\.[a-z0-9]{1,8}$/, 'must be 64 hex digits and an extension'),
    }),
    query: getArtifactQuery,
    headers: z.object({
      'if-none-match': z.string().optional(),
      range: z
        .string()
        .optional()
        .meta({ description: 'one range of bytes; several are answered with the whole file' }),
      'if-range': z.string().optional().meta({ description: 'the ETag; if it differs, the whole file comes' }),
      'accept-encoding': z
        .string()
        .optional()
        .meta({ description: 'with gzip in it a CSV file comes packed, with Content-Encoding; else plain' }),
    }),
  },
  responses: {
    200: {
      description: 'The file',
      content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
    },
    206: {
      description: 'The range',
      content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
    },
    304: { description: 'The client already has it' },
    400: json(errorBody, 'The URL is not complete: PARAMETER_INCORRECT_VALUE'),
    403: json(errorBody, 'The URL was altered or has expired: PERMISSION_DENIED'),
    404: json(errorBody, 'No such file: RESOURCE_NOT_FOUND'),
    416: json(errorBody, 'The range begins beyond the end: RANGE_NOT_SATISFIABLE'),
  },
});
