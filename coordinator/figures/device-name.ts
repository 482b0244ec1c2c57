import { deviceName } from './findings/finding-words.ts';

interface Named {
  vendor: string;
}

/**
 * The names of the devices of a node as labels: `GPU 0` by the place in the result, where the agent lists cards in the order of
 * their PCI addresses, and `processor`. The id that the driver gives belongs to the details.
 */
export function deviceNames(devices: readonly Named[]): string[] {
  const count = devices.filter(isProcessor).length;
  return devices.map((device, place) => deviceName(place, { count, areProcessors: isProcessor(device) }));
}

/** `GPU 0`, `GPU 0 and GPU 2`, `all 8 GPUs`: which devices of a node something is said of, all of them. */
export function devicesWords(places: readonly number[], devices: readonly Named[]): string {
  const names = deviceNames(devices);
  const shown = [...new Set(places)].toSorted((a, b) => a - b).flatMap((place) => names[place] ?? []);
  if (shown.length > 1 && shown.length === devices.length)
    return `all ${shown.length} ${devices.every(isProcessor) ? 'processors' : 'GPUs'}`;
  return shown.length < 2 ? (shown[0] ?? 'no device') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** The devices that a sentence begins with, as `devicesWords` writes them, and where they end; null if it begins otherwise. */
export function placesAtStart(text: string, count: number): { places: number[]; length: number } | null {
  const [words] = START.exec(text) ?? [];
  return words === undefined ? null : { places: placesIn(words, count), length: words.length };
}

const NAME = String.raw`(?:GPU \d+|processor(?: \d+)?)`;
const START = new RegExp(String.raw`^(?:all \d+ (?:GPUs|processors)|${NAME}(?:, ${NAME})*(?: and ${NAME})?)(?=: | )`);

function placesIn(words: string, count: number): number[] {
  if (words.startsWith('all ')) return Array.from({ length: count }, (_, place) => place);
  const numbers = words.match(/\d+/g);
  return numbers === null ? [0] : numbers.map(Number);
}

/** Texts of the runner and of drivers with the names of the devices in place of their ids. */
export function inDeviceNames(text: string, devices: readonly (Named & { device_id: string })[]): string {
  const names = deviceNames(devices);
  return devices.reduce((told, { device_id: id }, place) => {
    const whole = new RegExp(`(?<![\\w-])${RegExp.escape(id)}(?![\\w-])`, 'g');
    return told.includes(id) ? told.replaceAll(whole, names[place] ?? id) : told;
  }, text);
}

const isProcessor = ({ vendor }: Named): boolean => vendor === 'cpu';
