import { z } from 'zod';
import { boundedJson, overBounds, without } from './bounded-json.ts';
import { sizeCaps } from './size-caps.ts';
import { text } from './wire.ts';

const SHORTER = 'send less of it';
const mostBytes = `At most ${sizeCaps.testTask.bytes} bytes, nesting at most ${sizeCaps.testTask.depth} levels`;

/** The test owner's description of the machine; further fields are kept unchanged. */
export const registerTestTaskRequest = z
  .looseObject({
    machine_uuid: text(60, 1),
    machine_inventory: boundedJson(z.array(z.unknown()).max(1000), sizeCaps.testTask, SHORTER)
      .optional()
      .meta({ description: mostBytes }),
    description: text(512).optional(),
  })
  .refine((body) => overBounds(without('machine_inventory', body), sizeCaps.testTask) === null, {
    error: ({ input }) =>
      `without machine_inventory ${overBounds(without('machine_inventory', input), sizeCaps.testTask) ?? 'is too large'}; ${SHORTER}`,
  })
  .meta({ description: `The properties beside machine_inventory together: ${mostBytes.toLowerCase()}` });
