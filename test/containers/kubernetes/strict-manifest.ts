import * as clientModels from '@kubernetes/client-node/dist/gen/models/all.js';
import * as apps from 'kubernetes-models/apps/v1';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  [field: string]: unknown;
}

interface Validating {
  new (data: unknown): { validate: () => void };
}
interface Attribute {
  baseName: string;
  type: string;
}
interface Described {
  getAttributeTypeMap: () => Attribute[];
}

const groups: Record<string, object> = {
  v1: core,
  'apps/v1': apps,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
};

/**
 * What an API server would refuse of a manifest by its schema: wrong types and missing fields (the published OpenAPI, compiled
 * by kubernetes-models), and fields that no model of Kubernetes' own client knows. Not what admission would.
 */
export function faultsOf(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  const Model = (groups[apiVersion] as Record<string, Validating> | undefined)?.[kind];
  if (!Model) return [`${apiVersion} ${kind}: not a kind that is known here`];
  const faults: string[] = [];
  try {
    new Model(manifest).validate();
  } catch (error) {
    faults.push(`${kind} ${manifest.metadata.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return [...faults, ...unknownFields(manifest, `V1${kind}`, kind)];
}

function unknownFields(value: unknown, type: string, path: string): string[] {
  const list = /^Array<(.+)>$/.exec(type)?.[1];
  if (list !== undefined && Array.isArray(value))
    return value.flatMap((item, at) => unknownFields(item, list, `${path}[${at}]`));
  const values = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  if (typeof value !== 'object' || value === null) return [];
  if (values !== undefined)
    return Object.entries(value).flatMap(([key, item]) => unknownFields(item, values, `${path}.${key}`));
  const model = (clientModels as unknown as Record<string, Described>)[type];
  if (!model) return [];
  const known = new Map(model.getAttributeTypeMap().map(({ baseName, type: of }) => [baseName, of]));
  return Object.entries(value).flatMap(([key, item]) => {
    const of = known.get(key);
    return of === undefined ? [`${path}.${key}: no such field in ${type}`] : unknownFields(item, of, `${path}.${key}`);
  });
}
