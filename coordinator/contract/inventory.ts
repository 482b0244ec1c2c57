import { z } from 'zod';
import { text } from './wire.ts';

/** Text reported by the machine (model names, mount points): bounded; null if the machine does not report it. */
const word = text(400).nullable();
const count = z.int().nonnegative().nullable();
const amount = z.number().nonnegative().nullable();

/**
 * Ours, additive: identity and settings of the card. Null if the machine does not report it, absent if the agent does
 * not query it. The serial number differs between two cards of the same model, so it never enters `config_id`.
 */
const deviceIdentity = {
  uuid: word.optional(),
  pci_id: word.optional().meta({ description: 'domain:bus:device.function, e.g. 0000:17:00.0' }),
  vbios: word.optional(),
  serial: word.optional(),
  ecc_mode: z.enum(['enabled', 'disabled']).nullable().optional(),
  power_cap_watts: amount.optional(),
  mig: z
    .looseObject({ enabled: z.boolean().nullable(), parent_uuid: word.optional(), instance: word.optional() })
    .nullable()
    .optional(),
  partition: z
    .looseObject({ compute: word, memory: word })
    .nullable()
    .optional()
    .meta({ description: 'AMD: compute and memory partition, e.g. SPX and NPS1' }),
  nvlink_active: count.optional().meta({ description: 'NVLink links that are up' }),
  rocm_version: word.optional(),
  architecture: word.optional().meta({ description: 'e.g. sm_90, gfx942' }),
  disagreements: z
    .array(text(400))
    .max(40)
    .optional()
    .meta({ description: 'where two sources on the machine contradict each other, a sentence each' }),
};

/**
 * Everything in the agent's upload except the benchmark results: the machine as found, nothing invented.
 * Sizes are bytes, speeds MB/s (1e6 bytes), network speeds Mbit/s as decimal text or null.
 */
export const machineInventory = z.looseObject({
  machine_uuid: text(60, 1),
  config_id: text(60, 1),
  location: text(200).nullable(),
  gpu_vendor: z.enum(['nvidia', 'amd', 'cpu', 'mixed']).nullable(),
  gpu_count: z.int().min(0).max(64),
  cpu_info: z.looseObject({
    cpu_count: count,
    arch: word,
    os: word,
    hardware_vendor: word,
    hardware_model: word,
    processor_brand: word,
    virtualization: word,
  }),
  gpu_info: z
    .array(
      z.looseObject({
        name: word,
        total_memory: amount,
        driver_version: word,
        cuda_version: word,
        pci_info: z
          .looseObject({
            generation_max: count,
            generation_current: count,
            link_width_max: count,
            link_width_current: count,
          })
          .nullable(),
        ...deviceIdentity,
      }),
    )
    .max(64),
  ram_info: z.looseObject({
    total_memory: amount,
    memory_module_count: count,
    memory_module_type: word,
    memory_module_speed: word,
  }),
  disk_info: z
    .array(
      z.looseObject({
        name: word,
        model: word,
        rota: z.boolean().nullable(),
        size: amount,
        type: word,
        mountpoints: z.array(text(400)).max(200),
        read_speed: amount,
        write_speed: amount,
      }),
    )
    .max(256),
  network_info: z.looseObject({
    download_speed_mbps: word,
    upload_speed_mbps: word,
    open_ports: word,
    machine_ip: word,
  }),
});
export type MachineInventory = z.infer<typeof machineInventory>;
