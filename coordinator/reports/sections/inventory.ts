import type { MachineInventory } from '../../contract/inventory.ts';
import { printBytes } from '../facts/print-number.ts';
import { heading, keyValues, note, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';
import { cardsTable } from './cards.ts';

/** Maximum rows of a list of hardware; a storage node can have hundreds of disks. */
const MAX_ROWS = 16;

/** The machine as the agent found it. A value that is not known is a dash. */
export function inventorySection(paper: Paper, inventory: MachineInventory | null): void {
  if (!heading(paper, 'Inventory', 80)) return;
  if (!inventory) {
    paragraph(paper, 'The machine sent no inventory.');
    return;
  }
  const { cpu_info: cpu, ram_info: ram, network_info: network } = inventory;
  keyValues(paper, [
    ['Machine', inventory.machine_uuid],
    ['Configuration', inventory.config_id],
    ['Location', inventory.location ?? 'not told'],
    ['Maker, model', words(cpu.hardware_vendor, cpu.hardware_model)],
    ['Processor', words(cpu.processor_brand)],
    ['Logical CPUs', words(cpu.cpu_count, cpu.arch)],
    ['System', words(cpu.os)],
    ['Virtualisation', words(cpu.virtualization)],
    ['Memory', words(ram.total_memory === null ? null : printBytes(ram.total_memory), modules(ram))],
    ['Network', `down ${words(network.download_speed_mbps)}, up ${words(network.upload_speed_mbps)} Mbit/s`],
    ['Open ports', words(network.open_ports)],
    ['Address', words(network.machine_ip)],
  ]);
  devicesTable(paper, inventory);
  cardsTable(paper, inventory);
  disksTable(paper, inventory);
}

function devicesTable(paper: Paper, { gpu_info: gpus }: MachineInventory): void {
  if (gpus.length === 0) return;
  const rows = gpus.map((gpu) => [
    words(gpu.name),
    printBytes(gpu.total_memory),
    words(gpu.driver_version),
    words(gpu.cuda_version ?? gpu.rocm_version ?? null),
    link(gpu.pci_info?.generation_current, gpu.pci_info?.link_width_current),
    link(gpu.pci_info?.generation_max, gpu.pci_info?.link_width_max),
  ]);
  const equal = [...Map.groupBy(rows, (row) => row.join('\n')).values()];
  const groups = equal.map((members) => [members[0] ?? [], members.length] as const);
  table(
    paper,
    [
      { title: 'Count', share: 8, align: 'right' },
      { title: 'Device', share: 32 },
      { title: 'Memory', share: 12, align: 'right' },
      { title: 'Driver', share: 16 },
      { title: 'CUDA / ROCm', share: 12 },
      { title: 'PCIe now', share: 12 },
      { title: 'PCIe at most', share: 12 },
    ],
    groups.slice(0, MAX_ROWS).map(([row, count]) => [String(count)].concat(row)),
  );
  leftOut(paper, groups.length, 'kinds of device');
}

function disksTable(paper: Paper, { disk_info: disks }: MachineInventory): void {
  if (disks.length === 0) return;
  table(
    paper,
    [
      { title: 'Disk', share: 16 },
      { title: 'Model', share: 26 },
      { title: 'Type', share: 12 },
      { title: 'Size', share: 12, align: 'right' },
      { title: 'Read MB/s', share: 11, align: 'right' },
      { title: 'Write MB/s', share: 11, align: 'right' },
      { title: 'Mounted at', share: 26 },
    ],
    disks
      .slice(0, MAX_ROWS)
      .map((disk) => [
        words(disk.name),
        words(disk.model),
        words(disk.type ?? (disk.rota === null ? null : disk.rota ? 'rotating' : 'solid state')),
        printBytes(disk.size),
        words(disk.read_speed),
        words(disk.write_speed),
        disk.mountpoints.join(', ') || '–',
      ]),
  );
  leftOut(paper, disks.length, 'disks');
}

function leftOut(paper: Paper, count: number, what: string): void {
  if (count > MAX_ROWS) note(paper, `${count - MAX_ROWS} more ${what} are left out here.`);
}

function words(...values: (string | number | null)[]): string {
  const known = values.filter((value) => value !== null && value !== '');
  return known.length > 0 ? known.join(' ') : '–';
}

const link = (generation: number | null | undefined, width: number | null | undefined): string =>
  generation === null || generation === undefined ? '–' : `gen ${generation} x${width ?? '?'}`;

function modules(ram: MachineInventory['ram_info']): string | null {
  if (ram.memory_module_count === null) return null;
  return `in ${ram.memory_module_count} × ${words(ram.memory_module_type, ram.memory_module_speed)}`;
}
