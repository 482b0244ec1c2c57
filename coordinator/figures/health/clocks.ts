import { fromMemory, type HealthRule, read } from './rule.ts';

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

/** Clocks, power and heat. Reaching the power cap is normal under full load, and no rule says otherwise. */
export const clockRules: readonly HealthRule[] = [
  throttled(
    'hot_hardware_slowdown',
    'throttle_hw_thermal',
    'the hardware slowed the card down because it was too hot',
    {
      severity: 'warning',
      action: 'drain',
      source: read('nvml', `${EVENT_REASONS}: HW thermal slowdown, core clocks by a factor of 2 or more`),
    },
  ),
  throttled('hot_software_slowdown', 'throttle_sw_thermal', 'the driver slowed the card down because it was too hot', {
    severity: 'warning',
    action: 'drain',
    source: read('nvml', `${EVENT_REASONS}: SW thermal slowdown`),
    unless: ['hot_hardware_slowdown'],
  }),
  throttled('power_brake', 'throttle_power_brake', 'the server braked the card (power brake): its supply was short', {
    severity: 'warning',
    action: 'drain',
    source: read('nvml', `${EVENT_REASONS}: HW power brake slowdown, by the system power supply`),
  }),
  throttled('hardware_slowdown', 'throttle_hw_slowdown', 'the hardware slowed the card down, for heat or power', {
    severity: 'warning',
    action: 'drain',
    source: read('nvml', `${EVENT_REASONS}: HW slowdown`),
    unless: ['hot_hardware_slowdown', 'power_brake'],
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
  throttled('clocks_held', 'clocks_held', 'a clock setting held the card back: nvidia-smi -rac and -rgc undo it', {
    vendor: 'nvidia',
    severity: 'warning',
    action: 'none',
    source: read('nvml', `${EVENT_REASONS}: application clocks setting`),
    unless: ['clocks_lowered'],
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
    source: read('nvml', 'nvmlDeviceGetPowerManagementDefaultLimit'),
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
