import type { PredictRequest } from '../contract/prediction.ts';
import { findProduct } from '../market/find-products.ts';
import type { HotMarket } from '../market/hot-market.ts';
import { invalidField } from '../platform/errors.ts';
import { regions, type Region } from './model/regions.ts';

type Asked = Pick<PredictRequest, 'gpu_name' | 'slug' | 'memory_gb' | 'form_factor'>;

/** The product of a configuration: matched by label, memory and form factor, else by slug or name. Throws `validation`. */
export function productAsked({ products, match }: HotMarket, { gpu_name, slug, memory_gb, form_factor }: Asked) {
  const field = slug === undefined ? 'gpu_name' : 'slug';
  const said = slug ?? gpu_name ?? '';
  const found = match({ label: said, memoryGb: memory_gb ?? null, formFactor: form_factor ?? null });
  const product = products.get(found.kind === 'product' ? found.product_id : -1);
  const asked = product ?? findProduct(products, said, field);
  if (memory_gb !== undefined && asked.mem !== null && Math.abs(memory_gb - asked.mem) > asked.mem / 16)
    throw invalidField('memory_gb', `is ${memory_gb}, and ${asked.product_slug} has ${asked.mem} GB`);
  if (form_factor !== undefined && asked.form_factor !== null && !alike(form_factor, asked.form_factor))
    throw invalidField('form_factor', `is ${form_factor}, and ${asked.product_slug} is ${asked.form_factor}`);
  return asked;
}

/** SXM5 counts as SXM. */
const alike = (a: string, b: string): boolean => {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  return one.startsWith(other) || other.startsWith(one);
};

/** A continent by its code or name. Throws `validation`, which lists all of them. */
export function regionAsked(said: string): Region {
  const wanted = said.trim().toLowerCase();
  const found = Object.entries(regions).find(([code, name]) =>
    [code, name].some((one) => one.toLowerCase() === wanted),
  );
  if (!found)
    throw invalidField(
      'region',
      `must be one of ${Object.entries(regions)
        .map(([code, name]) => `${code} (${name})`)
        .join(', ')}`,
    );
  return found[0] as Region;
}
