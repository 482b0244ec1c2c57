import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import type { RunContext } from '../cli/run-context.ts';
import { collectInventory } from '../inventory/collect-inventory.ts';
import type { DeviceEvent } from '../kernels/runner-events.ts';
import type { PreparedMachine } from '../setup/prepare-machine.ts';

/** Takes the inventory and shows it. `machineIp` and `country` come from the conversation with the coordinator, if there is one. */
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
    clock: host.clock,
    machine_uuid: machine.machine_uuid,
    location: options.location ?? country,
    machine_ip: machineIp,
    gpu_vendor: vendorOf(machine.devices),
    gpu_count: machine.devices.length,
    cards: machine.devices.filter((device) => device.vendor !== 'cpu').map(cardOf),
    state_directory: machine.state_directory,
  });
  record.config_id = inventory.config_id;
  emit({ type: 'inventory', inventory });
  emit({ type: 'step', step: 'inventory', state: 'done', message: 'inventory taken' });
  return inventory;
}

function vendorOf(devices: DeviceEvent[]): MachineInventory['gpu_vendor'] {
  const vendors = new Set(devices.map((device) => device.vendor));
  const [first] = vendors;
  return first === undefined ? null : vendors.size > 1 ? 'mixed' : first;
}

function cardOf(device: DeviceEvent) {
  const { device_id, vendor, name, pci_id, memory_bytes, attributes } = device;
  return {
    device_id: typeof attributes['uuid'] === 'string' ? attributes['uuid'] : device_id,
    vendor,
    name,
    pci_id,
    memory_bytes,
    driver_version: textOf(attributes['driver_version']),
    cuda_version: textOf(attributes['cuda_version']),
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
