interface Named {
  vendor: string;
}

/**
 * The one name of each device of a node, on every surface: `GPU 0` by its place in the result, where the agent lists the cards
 * in the order of their PCI addresses, and `processor`. The id that the driver gives belongs to the details.
 */
export function deviceNames(devices: readonly Named[]): string[] {
  const isOnly = devices.filter(isProcessor).length === 1;
  return devices.map((device, place) =>
    !isProcessor(device) ? `GPU ${place}` : isOnly ? 'processor' : `processor ${place}`,
  );
}

/** `GPU 0`, `GPU 0 and GPU 2`, `GPU 0, 2 and 5`, `all 8 GPUs`: which devices of a node something is said of. */
export function devicesWords(places: readonly number[], devices: readonly Named[]): string {
  const names = deviceNames(devices);
  const shown = [...new Set(places)].toSorted((a, b) => a - b).flatMap((place) => names[place] ?? []);
  if (shown.length > 2 && shown.length === devices.length)
    return `all ${shown.length} ${devices.some(isProcessor) ? 'devices' : 'GPUs'}`;
  const [first, ...others] = shown;
  if (first === undefined) return 'no device';
  const last = others.at(-1);
  if (last === undefined) return first;
  const short = others.length === 1 ? others : others.map((name) => name.replace(/^GPU /, ''));
  return `${[first, ...short.slice(0, -1)].join(', ')} and ${short.at(-1) ?? last}`;
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
