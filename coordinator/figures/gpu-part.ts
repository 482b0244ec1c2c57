/** Whether a device is less than the card that its name may say: a MIG slice, or an AMD card in another mode than the whole one (SPX). */
export function isPart({ device_id, attributes }: { device_id: string; attributes: Record<string, unknown> }): boolean {
  const partition = attributes['partition'];
  const compute =
    partition !== null && typeof partition === 'object' && 'compute' in partition ? partition.compute : null;
  return device_id.startsWith('MIG-') || (typeof compute === 'string' && !/^(SPX|N\/A)$/i.test(compute));
}
