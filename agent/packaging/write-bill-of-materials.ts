import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** One component in CycloneDX; further fields as in its schema. */
export interface Component {
  'bom-ref': string;
  name: string;
  [field: string]: unknown;
}

interface Bill {
  bomFormat: string;
  specVersion: string;
  version: number;
  metadata: { component: { name: string; 'bom-ref': string; version: string } };
  components: (Component & { group?: string })[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** In bytes; a list of 350 packages takes a quarter of a megabyte. */
const OUTPUT_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Lists every package of the lock file that is part of the product, including Node, with hash and licence, as CycloneDX
 * JSON. Serial number, time and npm's version are left out, so that the output depends only on the lock file. `keep`
 * filters packages by name; `extra` adds components from other sources.
 */
export function writeBillOfMaterials(
  root: string,
  path: string,
  { keep = () => true, extra = [] }: { keep?: (name: string) => boolean; extra?: readonly Component[] } = {},
): void {
  const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only', '--loglevel=error'];
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX });
  const { bomFormat, specVersion, version, metadata, components, dependencies } = JSON.parse(text) as Bill;
  const kept = [
    ...components.filter(({ group, name }) => keep(group === undefined ? name : `${group}/${name}`)),
    ...extra,
  ];
  const known = new Set([metadata.component['bom-ref'], ...kept.map((component) => component['bom-ref'])]);
  const bill: Bill = {
    bomFormat,
    specVersion,
    version,
    // npm uses the folder's name.
    metadata: { component: { ...metadata.component, name: 'gpumark' } },
    components: kept.toSorted((a, b) => inOrder(a['bom-ref'], b['bom-ref'])),
    dependencies: dependencies
      .filter(({ ref }) => known.has(ref))
      .map(({ ref, dependsOn }) =>
        dependsOn ? { ref, dependsOn: dependsOn.filter((other) => known.has(other)) } : { ref },
      )
      .toSorted((a, b) => inOrder(a.ref, b.ref)),
  };
  writeFileSync(path, `${JSON.stringify(bill, null, 1)}\n`);
}

/** By code units: the same on every machine, whatever its locale. */
const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
