import type { Product } from '../../contract/terms.ts';
import { isStaff, type Actor } from '../../platform/actor.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import type { PageRoute } from './route.ts';
import type { Visit } from './visit.ts';

/**
 * Whether the caller's subscription, or an agreement in addition to it, includes a product. Staff have all products.
 */
export const hasProduct = (actor: Actor, product: Product): boolean =>
  isStaff(actor) || ('standing' in actor && actor.standing.terms.products.includes(product));

/** Whether the caller's company has an active subscription, or the caller is staff. */
export const isSubscribed = (actor: Actor): boolean =>
  isStaff(actor) || ('standing' in actor && actor.standing.subscribed);

/** For a member without the product: what the page contains, and which tiers include it. */
export function tierPage(
  visit: Visit,
  { holds = 'This page', example }: PageRoute,
  product: Product,
): Promise<Response> {
  const { actor } = visit.context;
  const standing = 'standing' in actor ? actor.standing : null;
  const tiers = standing?.tiersWith[product] ?? [];
  const who =
    tiers.length === 0
      ? 'No tier has it at present; it is agreed with single customers.'
      : `Tiers with it: ${tiers.join(', ')}.`;
  return page(visit, {
    title: 'Not in your subscription',
    status: 403,
    body: html`<div class="empty">
        <p>
          ${holds} needs the product <code>${product}</code>, which your subscription (${standing?.tier ?? 'none'}) does
          not include. ${who}
        </p>
        <p><a class="btn" href="/company/subscription">Your subscription and its limits</a></p>
      </div>
      ${example?.(visit)}`,
  });
}
