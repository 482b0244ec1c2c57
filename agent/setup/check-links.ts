import type { Host } from '../run/host.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { chooseEndpoints } from '../links/choose-endpoints.ts';
import { note, ok } from './check.ts';
import type { Check } from './check.ts';

/** Where other nodes of a job would reach this one, without options. Only jobs with cluster_network need it. */
export function checkLinks(host: Host, files: SystemFiles): Check {
  const { candidates, notes } = chooseEndpoints(files, host.networkInterfaces(), {
    interfaces: null,
    allow_public: false,
  });
  if (candidates.length === 0) return note('links', `for jobs that measure links between nodes: ${notes.join('; ')}`);
  const places = candidates.map(({ address, interface: name, speed_mbps: speed }) =>
    speed === null ? `${address} on ${name}` : `${address} on ${name} (${speed / 1000} Gb/s)`,
  );
  return ok('links', `between nodes by ${places.join(', ')}`);
}
