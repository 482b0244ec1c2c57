import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import type { EventOf } from '../run/run-event.ts';
import type { RunSummary } from '../run/run-summary.ts';

/**
 * The node's task detail in the fields of `GET /api/gpu-mark/v1/tasks/{task_id}`, as far as this machine knows
 * them: the company and the manufacturer's specification are known to the coordinator only, and are null here.
 */
export function classicTaskDetail(
  summary: RunSummary,
  inventory: MachineInventory | null,
  measurements: EventOf<'measurement'>[],
  start: Date,
  end: Date,
): Record<string, unknown> {
  const results = measurements.map((measurement) => [
    measurement.benchmark_id,
    { benchmark_id: measurement.benchmark_id, state: measurement.state, results: measurement.results },
  ]);
  return {
    id: summary.task_id,
    job_id: summary.job_id,
    state: summary.outcome === 'completed_with_warnings' ? 'completed' : summary.outcome,
    failed_message: summary.error?.message ?? null,
    pdf_report_url: summary.report_url,
    manufacturer_gpu_spec: null,
    company_name: null,
    machine_id: summary.machine_uuid,
    configuration_id: summary.config_id,
    start_time: start.toISOString(),
    end_time: end.toISOString(),
    inventory: inventory === null ? null : inventoryDetail(inventory),
    benchmark_results: Object.fromEntries(results),
    trace_id: summary.trace_id,
    saved: summary.saved,
    judgement: summary.judgement,
    warnings: summary.warnings,
  };
}

function inventoryDetail(inventory: MachineInventory): Record<string, unknown> {
  const { cpu_info: cpu, ram_info: ram, gpu_info, disk_info, network_info: network } = inventory;
  const card = gpu_info[0];
  const disk = disk_info[0];
  return {
    machine_id: inventory.machine_uuid,
    config_id: inventory.config_id,
    cpu: {
      processor: cpu.processor_brand,
      count: cpu.cpu_count,
      os: cpu.os,
      arch: cpu.arch,
      virtualization_type: cpu.virtualization,
    },
    gpu: {
      vendor: inventory.gpu_vendor,
      model: card?.name ?? null,
      count: inventory.gpu_count,
      memory_gb: gigabytes(card?.total_memory),
      network_type: null,
      driver_version: card?.driver_version ?? null,
      cuda_version: card?.cuda_version ?? null,
    },
    disk: { model: disk?.model ?? null, size_gb: gigabytes(disk?.size), technology: disk?.type ?? null },
    memory: { total_gb: gigabytes(ram.total_memory), type: ram.memory_module_type },
    network: {
      machine_ip: network.machine_ip,
      open_ports: network.open_ports,
      upload_speed_mbps: network.upload_speed_mbps,
      download_speed_mbps: network.download_speed_mbps,
    },
    location: inventory.location,
  };
}

/** GB of 1e9 bytes, two decimals. */
const gigabytes = (bytes: number | null | undefined): number | null =>
  bytes == null ? null : Number((bytes / 1e9).toFixed(2));
