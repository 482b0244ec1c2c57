import { type HealthRule, fromMemory, onePage, read } from './rule.ts';

/** Throttle bits that mean the card ran below what it is built for, by the names of the runner. */
export const slowedBy: Readonly<Record<string, string>> = {
  hw_thermal: 'hardware thermal slowdown',
  sw_thermal: 'software thermal slowdown',
  hw_slowdown: 'hardware slowdown',
  power_brake: 'power brake by the server',
};

const EVENT_REASONS = 'clocks event reasons';

const throttled = (
  id: string,
  signal: string,
  says: string,
  rule: Pick<HealthRule, 'severity' | 'action' | 'source'> & Partial<HealthRule>,
): HealthRule => ({ id, scope: 'device', signal, reading: 'during_run', when: { above: 0 }, says, ...rule });

/**
 * Share of a run below which a slowdown is a remark. DCGM's checks fail at the first nanosecond, which accuses healthy cards
 * (NVIDIA/DCGM#242, #285), and NVML says that hardware slowdown may show when the clock changes.
 */
const A_MOMENT = 0.01;
/** gpud calls a card unhealthy that was slowed down by its hardware in six of ten minutes. */
const MOST_OF_RUN = 0.6;

/** Clocks, power and heat. Reaching the power cap is normal under full load, and no rule says otherwise. */
export const clockRules: readonly HealthRule[] = [
  throttled('slowed_most_of_run', 'throttle_hardware', 'the hardware slowed the card down: {value}', {
    when: { above: MOST_OF_RUN },
    severity: 'critical',
    action: 'drain',
    source: onePage('gpud', 'component hw-slowdown: unhealthy from 0.6 events a minute in ten minutes'),
  }),
  throttled(
    'hot_hardware_slowdown',
    'throttle_hw_thermal',
    'the hardware slowed the card down because it was too hot: {value}',
    {
      severity: 'warning',
      action: 'drain',
      source: read('nvml', `${EVENT_REASONS}: HW thermal slowdown, core clocks by a factor of 2 or more`),
      unless: ['slowed_most_of_run'],
    },
  ),
  throttled(
    'hot_software_slowdown',
    'throttle_sw_thermal',
    'the driver slowed the card down because it was too hot: {value}, limit 1 %',
    {
      when: { above: A_MOMENT },
      severity: 'warning',
      action: 'drain',
      source: read('dcgm', 'health watch, thermal: any violation; of the run 1 %, which is ours (NVIDIA/DCGM#242)'),
      unless: ['hot_hardware_slowdown', 'slowed_most_of_run'],
    },
  ),
  throttled('hot_for_a_moment', 'throttle_sw_thermal', 'the driver slowed the card down for heat: {value}', {
    severity: 'info',
    action: 'none',
    source: read('dcgm', 'health watch, thermal: any violation; of the run 1 %, which is ours (NVIDIA/DCGM#242)'),
    unless: ['hot_software_slowdown', 'hot_hardware_slowdown', 'slowed_most_of_run'],
  }),
  throttled(
    'power_brake',
    'throttle_power_brake',
    'the server braked the card (power brake), its supply was short: {value}',
    {
      severity: 'warning',
      action: 'drain',
      source: read('nvml', `${EVENT_REASONS}: HW power brake slowdown, by the system power supply`),
      unless: ['slowed_most_of_run'],
    },
  ),
  throttled(
    'hardware_slowdown',
    'throttle_hw_slowdown',
    'the hardware slowed the card down, for heat or power: {value}, limit 1 %',
    {
      when: { above: A_MOMENT },
      severity: 'warning',
      action: 'drain',
      source: read('nvml', `${EVENT_REASONS}: HW slowdown, also when clocks change; the limit is ours`),
      unless: ['hot_hardware_slowdown', 'power_brake', 'slowed_most_of_run'],
    },
  ),
  throttled('slowed_for_a_moment', 'throttle_hw_slowdown', 'the hardware slowed the card down: {value}', {
    severity: 'info',
    action: 'none',
    source: read('nvml', `${EVENT_REASONS}: HW slowdown, also when clocks change; the limit is ours`),
    unless: ['hardware_slowdown', 'hot_hardware_slowdown', 'power_brake', 'slowed_most_of_run'],
  }),
  {
    id: 'clocks_lowered',
    scope: 'device',
    signal: 'application_clock_share',
    reading: 'level',
    when: { below: 0.99 },
    vendor: 'nvidia',
    severity: 'warning',
    action: 'none',
    says: 'application clocks are below their default ({value}): nvidia-smi -rac restores it',
    source: read('nvml', `nvmlDeviceGetDefaultApplicationsClock; ${EVENT_REASONS}: application clocks setting`),
  },
  {
    id: 'memory_clock_lowered',
    scope: 'device',
    signal: 'application_memory_clock_share',
    reading: 'level',
    when: { below: 0.99 },
    vendor: 'nvidia',
    severity: 'warning',
    action: 'none',
    says: 'the application clock of the memory is below its default ({value}): nvidia-smi -rac restores it',
    source: read('nvml', `nvmlDeviceGetDefaultApplicationsClock; ${EVENT_REASONS}: application clocks setting`),
  },
  throttled('clocks_held', 'clocks_held', 'a clock setting held the card back: nvidia-smi -rac and -rgc undo it', {
    vendor: 'nvidia',
    severity: 'warning',
    action: 'none',
    source: read('nvml', `${EVENT_REASONS}: application clocks setting`),
    unless: ['clocks_lowered', 'memory_clock_lowered'],
  }),
  throttled(
    'sync_boost',
    'throttle_sync_boost',
    'a sync boost group held the card to the clock of its slowest member',
    {
      vendor: 'nvidia',
      severity: 'info',
      action: 'none',
      source: read('nvml', `${EVENT_REASONS}: sync boost`),
    },
  ),
  {
    id: 'power_cap_lowered',
    scope: 'device',
    signal: 'power_cap_share',
    reading: 'level',
    when: { below: 0.99 },
    severity: 'warning',
    action: 'none',
    says: 'the power cap is below its default ({value}): figures are those of a weaker card',
    source: read('nvml', 'nvmlDeviceGetPowerManagementDefaultLimit: the limit that the device boots with'),
  },
  {
    id: 'recovery_reset',
    scope: 'device',
    signal: 'recovery_action',
    reading: 'level',
    when: { one_of: ['reset', 'drain and reset'] },
    vendor: 'nvidia',
    severity: 'critical',
    action: 'reset',
    says: 'the driver says that the card needs a reset ({value})',
    source: read('memory', 'Error Recovery and Response Flags, recovery action'),
  },
  {
    id: 'recovery_reboot',
    scope: 'device',
    signal: 'recovery_action',
    reading: 'level',
    when: { is: 'reboot' },
    vendor: 'nvidia',
    severity: 'critical',
    action: 'reboot',
    says: 'the driver says that the machine must be restarted',
    source: read('memory', 'Error Recovery and Response Flags, recovery action'),
  },
  {
    id: 'recovery_drain_p2p',
    scope: 'device',
    signal: 'recovery_action',
    reading: 'level',
    when: { is: 'drain p2p' },
    vendor: 'nvidia',
    severity: 'critical',
    action: 'drain',
    says: 'the driver says that copies between cards must end before the card recovers',
    source: read('memory', 'Error Recovery and Response Flags, recovery action'),
  },
  {
    id: 'recovery_imex_domain',
    scope: 'device',
    signal: 'recovery_action',
    reading: 'level',
    when: { is: 'recover imex domain' },
    vendor: 'nvidia',
    severity: 'critical',
    action: 'drain',
    says: 'the driver says that the IMEX domain of its rack must be restored',
    source: read('nvml', 'change log: NVML_GPU_RECOVERY_ACTION_RECOVER_IMEX_DOMAIN'),
  },
  {
    id: 'gsp_firmware_off',
    scope: 'device',
    signal: 'gsp_firmware',
    reading: 'level',
    when: { is: false },
    vendor: 'nvidia',
    severity: 'info',
    action: 'none',
    says: 'the GPU system processor is off, by a setting of the driver',
    source: fromMemory('nvml', 'nvmlDeviceGetGspFirmwareMode'),
  },
];
