import { cpuPlatforms, predictedTypes, type SpecsList } from '../contract/prediction.ts';
import { providerSourceTypes } from '../contract/price-type.ts';
import type { HotMarket } from '../market/hot-market.ts';
import { priceTypeText } from '../market/price-record.ts';
import type { HotModel } from './hot-model.ts';
import { regionOf, regions } from './model/regions.ts';
import { LEAST_PROVIDERS } from './require-support.ts';

/** What `predict` accepts with the serving model: each GPU with the places and price types that can be requested for it. */
export function listSpecs({ products }: HotMarket, { model }: HotModel): SpecsList {
  const bySlug = new Map([...products.values()].map((product) => [product.product_slug, product]));
  const gpus = [...(model?.support.values() ?? [])]
    .filter(({ chip_providers }) => chip_providers >= LEAST_PROVIDERS)
    .flatMap(({ product: slug, chip, countries, price_types, chip_providers }) => {
      const product = bySlug.get(slug);
      if (product === undefined) return [];
      const terms = (model?.ratios.get(slug) ?? []).map(({ tenor }) => tenor).filter((tenor) => isPredicted(tenor));
      return [
        {
          gpu_name: product.name,
          slug,
          chip,
          memory_gb: product.mem,
          form_factor: product.form_factor,
          countries,
          regions: [...new Set(countries.flatMap((country) => regionOf(country) ?? []))].toSorted(),
          price_types: [...new Set([...price_types, ...terms])].toSorted((a, b) => a - b),
          sample_size: chip_providers,
        },
      ];
    });
  const distinct = (of: 'countries' | 'regions'): string[] => [...new Set(gpus.flatMap((gpu) => gpu[of]))].toSorted();
  return {
    gpus,
    geolocations: {
      countries: distinct('countries'),
      regions: distinct('regions').map((code) => ({ code, name: regions[code as keyof typeof regions] })),
    },
    price_types: predictedTypes.map((value) => ({ value, description: priceTypeText(value) })),
    cpu_platforms: [...cpuPlatforms],
    provider_source_types: [...providerSourceTypes],
    as_of: model?.as_of ?? null,
    model_version: model?.model_version ?? null,
  };
}

const isPredicted = (tenor: number): boolean => predictedTypes.some((type) => type === tenor);
