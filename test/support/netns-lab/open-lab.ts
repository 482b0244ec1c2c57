import { makeControlNetwork } from './control-network.ts';
import { raiseKernelSettings } from './kernel-settings.ts';
import type { LabNode } from './lab-node.ts';
import { makeFabric, type Fabric, type FabricOptions } from './make-fabric.ts';
import { namespacesOf, newPrefix, removeNamespaces, sweepLeftovers } from './namespaces.ts';

/** Nodes of all fabrics of a lab together: the control network is a /22. */
const MOST_NODES = 1000;

export interface Lab {
  prefix: string;
  /** This machine's address on the control network. Exists on this machine alone: a coordinator may listen there. */
  address: string;
  /** A measured network of its own with new nodes, each also on the control network, which no shaper touches. */
  addFabric: (options: FabricOptions) => Promise<Fabric>;
  /** Ends everything that was started in the nodes. */
  stopNodes: () => Promise<void>;
  /** Ends all processes of the lab, removes all of it, puts the kernel's settings back. Safe to call twice. */
  close: () => Promise<void>;
}

/** A lab without nodes yet. What labs of dead processes have left is removed first. */
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
