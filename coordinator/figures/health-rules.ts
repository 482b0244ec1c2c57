import { amdRules } from './health/amd.ts';
import { clockRules } from './health/clocks.ts';
import { equalityRules } from './health/equality.ts';
import { fabricRules } from './health/fabric.ts';
import { hostRules } from './health/host.ts';
import { linkRules } from './health/links.ts';
import { memoryRules } from './health/memory.ts';
import { networkRules } from './health/network.ts';
import { pcieRules } from './health/pcie.ts';
import { type HealthRule } from './health/rule.ts';
import { xidRules } from './health/xid-catalogue.ts';

/** The table in its themes, as it is printed. */
export const ruleThemes: readonly { theme: string; rules: readonly HealthRule[] }[] = [
  { theme: 'Memory', rules: memoryRules },
  { theme: 'Errors that the AMD driver handles', rules: amdRules },
  { theme: 'Links between cards', rules: linkRules },
  { theme: 'Fabric that switches the links', rules: fabricRules },
  { theme: 'PCIe', rules: pcieRules },
  { theme: 'Errors logged by the NVIDIA driver (Xid)', rules: xidRules },
  { theme: 'Clocks, power, heat and recovery', rules: clockRules },
  { theme: 'Network ports', rules: networkRules },
  { theme: 'Settings of the machine', rules: hostRules },
  { theme: 'Cards and nodes that are not alike', rules: equalityRules },
];

/** Every rule about the health of cards, machines and jobs. Agent and coordinator judge by these and by nothing else. */
export const healthRules: readonly HealthRule[] = ruleThemes.flatMap(({ rules }) => rules);
