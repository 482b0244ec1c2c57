import { NOT_IN_TIER } from '../contract/access.ts';
import type { Product } from '../contract/terms.ts';
import { isStaff, type Actor } from './actor.ts';
import { DomainError } from './errors.ts';

const DAY_MS = 86_400_000;

/** Throws 34004 if the day is earlier than the caller's subscription reaches back. Staff have access to all days. */
export function requireHistory(actor: Actor, { field, day, now }: { field: string; day: string; now: Date }): void {
  if (isStaff(actor) || !('standing' in actor)) return;
  const { tier, terms } = actor.standing;
  const earliest = new Date(now.getTime() - terms.history_days * DAY_MS).toISOString().slice(0, 10);
  if (day >= earliest) return;
  throw new DomainError(
    'forbidden',
    `The subscription (${tier}) reaches back ${terms.history_days} days; ${field} must be ${earliest} or later.`,
    { code: NOT_IN_TIER },
  );
}

/** Throws 34004 if a part of an answer needs a product that the caller's subscription lacks. Staff have all products. */
export function requireProduct(actor: Actor, product: Product, what: string): void {
  if (isStaff(actor) || ('standing' in actor && actor.standing.terms.products.includes(product))) return;
  const [tier, tiers] =
    'standing' in actor ? [actor.standing.tier, actor.standing.tiersWith[product] ?? []] : ['none', []];
  throw new DomainError(
    'forbidden',
    `${what} is not part of the subscription (${tier}). Tiers with it: ${tiers.length === 0 ? 'none at present' : tiers.join(', ')}.`,
    { code: NOT_IN_TIER },
  );
}

/** Throws 34004 for files of a level that the caller's subscription does not include. Staff have all levels. */
export function requireArchiveTier(actor: Actor, level: number): void {
  if (isStaff(actor) || !('standing' in actor)) return;
  const { tier, terms } = actor.standing;
  if (terms.archive_tiers.some((included) => included === level)) return;
  throw new DomainError('forbidden', `The subscription (${tier}) does not include archives of tier ${level}.`, {
    code: NOT_IN_TIER,
  });
}
