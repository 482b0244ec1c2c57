import type { Device } from './devices.ts';
import type { Finding } from './finding.ts';
import { infoOf } from './metrics.ts';

/** One finding per device with failed checks. Doubtful figures are reported by the agent's own warnings. */
export function checkFindings(devices: Device[]): Finding[] {
  return devices.flatMap((device): Finding[] => {
    const failed = failedMetrics(device);
    if (failed.length === 0) return [];
    const rules = failed.map((metric) => `${infoOf(metric).label}: ${device.verdicts?.[metric]?.rule ?? ''}`);
    // A figure whose verification failed has no value; then the measurement is at fault, not the device.
    const isFault = failed.every((metric) =>
      device.figures.every((one) => one.metric !== metric || one.value !== null),
    );
    return [{ level: 'failure', text: `${device.name} fails a check. ${rules.join('; ')}.`, isFault }];
  });
}

const failedMetrics = ({ verdicts }: Device): string[] =>
  Object.entries(verdicts ?? {})
    .filter(([, { verdict }]) => verdict === 'bad')
    .map(([metric]) => metric);

/** Whether an agent's warning, "<device id>: <metrics>: <reason>", only repeats failed checks. */
export function repeatsCheck(warning: string, devices: Device[]): boolean {
  const device = devices.find(({ id }) => warning.startsWith(`${id}: `));
  if (!device) return false;
  const metrics = /^([a-z0-9_]+(?:, [a-z0-9_]+)*): /.exec(warning.slice(device.id.length + 2))?.[1]?.split(', ') ?? [];
  return metrics.length > 0 && metrics.every((metric) => device.verdicts?.[metric]?.verdict === 'bad');
}

/** Replaces device ids in an agent's text by the names of this report and, if there were any, metrics by their labels. */
export function nameDevices(text: string, devices: Device[]): string {
  let named = text;
  let isAboutDevice = false;
  // Longest first: one id can be a prefix of another.
  for (const { id, name } of devices.toSorted((a, b) => b.id.length - a.id.length)) {
    isAboutDevice ||= named.includes(id);
    named = named.replaceAll(id, name);
  }
  return isAboutDevice ? nameMetrics(named) : text;
}

/** Replaces the names of metrics in a text by their labels. */
export const nameMetrics = (text: string): string =>
  text.replaceAll(
    /\b[a-z0-9]+(?:_[a-z0-9]+)*_(?:tflops|gbs|us|ns|watts|centigrade|wh)\b/g,
    (metric) => infoOf(metric).label,
  );
