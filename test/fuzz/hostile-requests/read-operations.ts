import type { Schema } from './draw-json.ts';
import type { Operation } from './draw-request.ts';

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}

interface DocumentedOperation {
  'x-access': string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}

/** Every operation of the document, and the pages that are not in it. */
export async function readOperations(
  baseUrl: string,
): Promise<{ operations: Operation[]; schemas: Record<string, Schema> }> {
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      access: operation['x-access'],
      query: (operation.parameters ?? []).filter((given) => given.in === 'query').map(({ name }) => name),
      body: operation.requestBody?.content['application/json']?.schema ?? null,
      statuses: Object.keys(operation.responses),
    })),
  );
  const pages = ['/', '/docs', '/docs/assets/{name}', '/nothing/here'].map((path) => ({
    method: 'GET',
    path,
    access: 'public',
    query: [],
    body: null,
    statuses: ['429', '503'],
  }));
  return { operations: [...operations, ...pages], schemas: document.components.schemas };
}
