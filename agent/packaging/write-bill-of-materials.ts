import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** One entry of CycloneDX's list; further fields as its schema has them. */
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

/** Bytes; the list of 350 packages has a quarter of a megabyte. */
const OUTPUT_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Every package of the lock file that runs with the product, Node itself among them, with its hash and licence, as
 * CycloneDX JSON. What npm draws each time (serial number, time) and its own version are left out, so that one lock
 * file gives one text. `keep` is asked for each package's name; `extra` is what comes from elsewhere.
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
    // npm takes the name of the folder.
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

/** By code units: the same on every machine, whatever its language. */
const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
