import { z } from 'zod';
import { text } from './wire.ts';

/** What a test's owner says of the machine; further fields are kept as they are. */
export const registerTestTaskRequest = z.looseObject({
  machine_uuid: text(60, 1),
  machine_inventory: z.array(z.unknown()).max(1000).optional(),
  description: text(512).optional(),
});
