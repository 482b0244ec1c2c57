import { productsByTier, type Product } from '../contract/products-by-tier.ts';
import { isStaff, type Actor } from './actor.ts';
import { DomainError } from './errors.ts';

/** Code of a product that the caller's tier lacks. */
const NOT_IN_TIER = 34004;

/** Throws 34004 where the caller's tier does not have the product. Staff have all of them. */
export function requireProduct(actor: Actor, product: Product): void {
  if (isStaff(actor) || ('tier' in actor && productsByTier[actor.tier].includes(product))) return;
  const tiers = Object.entries(productsByTier).filter(([, products]) => products.includes(product));
  throw new DomainError(
    'forbidden',
    `The subscription does not include ${product}. Tiers with it: ${tiers.map(([tier]) => tier).join(', ')}.`,
    { code: NOT_IN_TIER },
  );
}
