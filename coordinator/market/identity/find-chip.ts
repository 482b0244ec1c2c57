import { brandWords, fillerWords } from './label-spellings.ts';
import { normaliseLabel, readLabel } from './read-label.ts';

/** The part of a product that its name can tell. */
export interface MatchableProduct {
  product_id: number;
  slug: string;
  /** what the trade calls it, the same for all memory sizes and form factors */
  chip: string;
  name: string;
  manufacturer: string;
  /** GB, as the vendor states it */
  mem: number | null;
  /** SXM, PCIe, NVL, OAM, superchip, cloud */
  form_factor: string | null;
  /** further labels that mean it, whatever the rules say */
  labels: readonly string[];
}

export type FindChip = (words: readonly string[]) => FoundChip | null;

interface FoundChip {
  /** of the chip, or of each of the chips that the words may mean */
  products: readonly KnownProduct[];
  /** words of the label that are not the chip's name */
  others: readonly string[];
}

/** A product with the words of its own name. */
export interface KnownProduct {
  product: MatchableProduct;
  /** of its name, without brands, fillers, memory and form factor */
  words: ReadonlySet<string>;
  /** the manufacturer's: they may be said or left out */
  brand: ReadonlySet<string>;
}

/**
 * Finds the longest run of whole words that names a chip of the catalogue, the leftmost of equally long ones; null if
 * none does. Whole words: GB200 is not B200, L40S not L40. The longest: RTX 6000 Ada is not RTX 6000.
 */
export function createChipFinder(products: readonly MatchableProduct[]): FindChip {
  const named = products.flatMap((product) => {
    const known = knownProduct(product);
    return chipNames(product.chip).map((name) => ({ name, known }));
  });
  const byName = Map.groupBy(named, ({ name }) => name);
  const longest = Math.max(0, ...named.map(({ name }) => name.split(' ').length));
  return (words) => {
    for (let length = Math.min(longest, words.length); length > 0; length -= 1)
      for (let start = 0; start + length <= words.length; start += 1) {
        const found = byName.get(words.slice(start, start + length).join(' '));
        if (!found) continue;
        const others = [...words.slice(0, start), ...words.slice(start + length)];
        return { products: found.map(({ known }) => known), others };
      }
    return null;
  };
}

/**
 * Its full name, and what is left of it without the series (A6000, 3080 Ti) or without the generation (RTX 5000 is a Quadro
 * or an Ada). A short name may be that of several chips; the rest of the label then has to decide.
 */
function chipNames(chip: string): string[] {
  const name = normaliseLabel(chip);
  const withoutSeries = name.replace(/^(?:RTX|GTX|RX) /, '');
  const withoutGeneration = name.replace(/^QUADRO | ADA$/, '');
  return [...new Set([name, withoutSeries, withoutGeneration])];
}

function knownProduct(product: MatchableProduct): KnownProduct {
  const brand = new Set(brandWords(product.manufacturer));
  const own = readLabel(product.name).words.filter((word) => !brand.has(word) && !fillerWords.has(word));
  return { product, words: new Set(own), brand };
}
