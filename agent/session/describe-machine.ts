import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import type { RunContext } from '../run/run-context.ts';
import { collectInventory } from '../inventory/collect-inventory.ts';
import { foundCard } from '../inventory/found-card.ts';
import type { DeviceEvent } from '../kernels/runner-events.ts';
import type { PreparedMachine } from '../setup/prepare-machine.ts';

/** Takes the inventory and shows it. Without a coordinator `machineIp`, our address towards it, and `country` are null. */
export async function describeMachine(
  context: RunContext,
  machine: PreparedMachine,
  machineIp: string | null,
  country: string | null,
): Promise<MachineInventory> {
  const { emit, host, options, record } = context;
  emit({ type: 'step', step: 'inventory', state: 'started', message: 'taking the inventory of this machine' });
  const inventory = await collectInventory({
    files: machine.files,
    machine_uuid: machine.machine_uuid,
    location: options.location ?? country,
    machine_ip: machineIp,
    gpu_vendor: vendorOf(machine.devices),
    gpu_count: machine.devices.length,
    cards: machine.devices.filter((device) => device.vendor !== 'cpu').map(foundCard),
    measureDisk: () => host.measureDisk(machine.state_directory),
    probeSystem: () => host.probeSystem(),
  });
  record.config_id = inventory.config_id;
  emit({ type: 'inventory', inventory });
  for (const { pci_id, name, disagreements } of inventory.gpu_info)
    for (const sentence of disagreements ?? [])
      emit({
        type: 'notice',
        level: 'warning',
        message: `${pci_id ?? name ?? 'card'}: ${sentence}`,
        remedy: 'Restart the machine if the driver was changed while it ran.',
      });
  emit({ type: 'step', step: 'inventory', state: 'done', message: 'inventory taken' });
  return inventory;
}

function vendorOf(devices: DeviceEvent[]): MachineInventory['gpu_vendor'] {
  const vendors = new Set(devices.map((device) => device.vendor));
  const [first] = vendors;
  return first === undefined ? null : vendors.size > 1 ? 'mixed' : first;
}
