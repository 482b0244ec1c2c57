import { invalidField } from '../platform/errors.ts';
import type { Model } from './hot-model.ts';
import type { Support } from './model/model-document.ts';
import { regionOf } from './model/regions.ts';

/** Fewest providers that must sell the product or another one with its chip. */
export const LEAST_PROVIDERS = 5;

interface Asked {
  product: string;
  chip: string;
  country: string | null;
  region: string | null;
  /** on demand or spot */
  price_type: number;
  field: string;
}

/** The support in the data for a request. Throws `validation`, naming what is missing and the nearest that they support. */
export function requireSupport(model: Model, { product, chip, country, region, price_type, field }: Asked): Support {
  const found = model.support.get(product) ?? [...model.support.values()].find((one) => one.chip === chip);
  if (found === undefined || found.chip_providers < LEAST_PROVIDERS) {
    const sellers = found?.chip_providers ?? 0;
    const supported = [...model.support.values()].filter(({ chip_providers }) => chip_providers >= LEAST_PROVIDERS);
    const near = nearestProduct(supported, { product, place: { country, region } });
    throw invalidField(
      field,
      `${product}: ${sellers === 1 ? '1 provider has' : `${sellers} providers have`} prices of ${chip} in the year up to ${model.as_of}, and a prediction needs ${LEAST_PROVIDERS}. ${near}`,
    );
  }
  if (!found.price_types.includes(price_type)) {
    const types = found.price_types.map((type) => (type === 0 ? '0 (on demand)' : '-1 (spot)')).join(', ');
    throw invalidField(
      'price_type',
      `no provider has such prices of ${chip}; nearest: ${product} with price_type ${types}`,
    );
  }
  const where = { country, region };
  if (!isIn(found, where)) {
    const name = country === null ? 'region' : 'country';
    throw invalidField(
      name,
      `no provider states a price of ${chip} in ${country ?? region}. ${nearestPlace(found, where)}`,
    );
  }
  return found;
}

interface Place {
  country: string | null;
  region: string | null;
}

const isIn = ({ countries }: Support, { country, region }: Place): boolean =>
  country === null ? countries.some((one) => regionOf(one) === region) : countries.includes(country);

function nearestPlace({ product, countries }: Support, { country, region }: Place): string {
  const continent = country === null ? region : regionOf(country);
  const near = countries.find((one) => regionOf(one) === continent) ?? (countries.includes('US') ? 'US' : countries[0]);
  if (near === undefined) return `No country of ${product} is known.`;
  return `Nearest supported: ${product} in ${near}; all: ${countries.join(', ')}.`;
}

/** The product whose slug shares the longest prefix, among those of the place if there are any. */
function nearestProduct(supported: readonly Support[], { product, place }: { product: string; place: Place }): string {
  const there = supported.filter((one) => isIn(one, place));
  const of = there.length > 0 ? there : supported;
  const shared = (slug: string): number => {
    let at = 0;
    while (at < slug.length && slug[at] === product[at]) at += 1;
    return at;
  };
  const near = of.toSorted((a, b) => shared(b.product) - shared(a.product) || b.providers - a.providers)[0];
  if (near === undefined) return 'No product has enough.';
  const country = place.country !== null && near.countries.includes(place.country) ? place.country : near.countries[0];
  return `Nearest supported: ${near.product}${country === undefined ? '' : ` in ${country}`}.`;
}
