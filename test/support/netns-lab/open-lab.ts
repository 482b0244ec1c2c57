import { makeControlNetwork } from './control-network.ts';
import { raiseKernelSettings } from './kernel-settings.ts';
import type { LabNode } from './lab-node.ts';
import { makeFabric, type Fabric, type FabricOptions } from './make-fabric.ts';
import { namespacesOf, newPrefix, removeNamespaces, sweepLeftovers } from './namespaces.ts';

/** Limit for all fabrics of a lab together: the control network is a /22. */
const MOST_NODES = 1000;

export interface Lab {
  prefix: string;
  /** This machine's address on the control network. It exists on this machine only, so a coordinator may listen on it. */
  address: string;
  /** Adds a measured network with new nodes, which are also on the control network; that one has no shapers. */
  addFabric: (options: FabricOptions) => Promise<Fabric>;
  /** Ends everything that was started in the nodes. */
  stopNodes: () => Promise<void>;
  /** Ends the lab's processes, removes the lab and restores the kernel's settings. Can be called twice. */
  close: () => Promise<void>;
}

/** Opens a lab without nodes. Leftovers of dead processes' labs are removed first. */
export async function openLab(): Promise<Lab> {
  await sweepLeftovers();
  const restoreSettings = await raiseKernelSettings();
  const prefix = newPrefix();
  const nodes: LabNode[] = [];
  let [fabrics, taken] = [0, 0];
  let closing: Promise<void> | undefined;
  const stopNodes = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.endProcesses()));
  };
  const close = async (): Promise<void> => {
    await stopNodes();
    await removeNamespaces(await namespacesOf(prefix));
    await restoreSettings();
  };
  try {
    const control = await makeControlNetwork(`${prefix}-control`);
    return {
      prefix,
      address: control.address,
      addFabric: async (options) => {
        const first = taken;
        taken += options.nodes;
        if (taken > MOST_NODES) throw new Error(`a lab has at most ${MOST_NODES} nodes`);
        const fabric = await makeFabric(`${prefix}-f${(fabrics += 1)}`, control, first, options);
        nodes.push(...fabric.nodes);
        return fabric;
      },
      stopNodes,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
