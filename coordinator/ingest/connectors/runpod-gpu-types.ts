import { z } from 'zod';
import type { Connector, SourceFile } from '../connector.ts';
import { judgeListing, refuse, unsaid } from '../judge-listing.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { checked, jsonRecord, readJson } from '../reading/read-json.ts';
import { formFactorIn } from './form-factor-in.ts';

const gpuType = z.object({
  id: z.string(),
  displayName: z.string(),
  memoryInGb: z.number().nullish(),
  securePrice: z.number().nullish(),
  communityPrice: z.number().nullish(),
});
type GpuType = z.infer<typeof gpuType>;
const document = z.object({ data: z.object({ gpuTypes: z.array(z.unknown()).nonempty() }) });

/** USD per hour that RunPod shows if it has set no price. */
const PLACEHOLDER = 0.5;
/** For three quarters of the types with two real prices, secure cloud costs up to 1.5 times what community cloud does. */
const SECURE_TO_COMMUNITY_MAX = 1.5;

/**
 * RunPod's `gpuTypes` (POST https://api.runpod.io/graphql, `{ gpuTypes { id displayName memoryInGb securePrice
 * communityPrice } }`): one GPU on demand, in RunPod's own data centres (`secure`) and in partners' (`community`). 0 means
 * no price. Exactly 0.5 is a placeholder, as for an MI300X or an RTX A2000, unless the other price of the type is a real one
 * and 0.5 is in the usual ratio to it: secure 1 to 1.5 times community. MIG slices and `unknown` keep their labels.
 */
export const runpodGpuTypes: Connector = {
  name: 'runpod-gpu-types',
  title: 'RunPod GPU types',
  kind: 'rental',
  url: null,
  read: async function* (file) {
    const { data } = checked(file, document, await readJson(file), '');
    for (const [index, value] of data.gpuTypes.entries()) {
      yield* typeRows(
        file,
        jsonRecord(index + 1, value),
        checked(file, gpuType, value, `data.gpuTypes[${index}]`, index + 1),
      );
    }
  },
};

function typeRows(file: SourceFile, record: SourceRecord, type: GpuType): ReadRow[] {
  const secure = type.securePrice ?? 0;
  const community = type.communityPrice ?? 0;
  if (secure === 0 && community === 0) return [refuse(record, 'no-price', type.id)];
  const prices: [string, number][] = [
    ['secure', secure],
    ['community', community],
  ];
  return prices
    .filter(([, price]) => price !== 0)
    .map(([offer, price]) => {
      if (price === PLACEHOLDER && !isInRatio(secure, community))
        return refuse(record, 'placeholder', `${type.id} ${offer} 0.5`);
      const listing = {
        ...unsaid,
        label: type.id,
        memoryGb: type.memoryInGb || null,
        // The id calls an SXM card "H100 80GB HBM3"; the display name says SXM.
        formFactor: formFactorIn(type.displayName) ?? formFactorIn(type.id),
        provider: 'RunPod',
        priceType: 0 as const,
        price,
        offer,
        // RunPod's own data centres, or those of partners.
        segment: offer === 'community' ? ('community' as const) : null,
        observedAt: file.asOf,
      };
      return judgeListing(record, listing);
    });
}

function isInRatio(secure: number, community: number): boolean {
  if (secure === 0 || community === 0 || secure === community) return false;
  return secure >= community && secure <= community * SECURE_TO_COMMUNITY_MAX;
}
