import { brandWords, fillerWords } from './label-spellings.ts';
import { normaliseLabel, readLabel } from './read-label.ts';

/** The fields of a product that labels are matched by. */
export interface MatchableProduct {
  product_id: number;
  slug: string;
  /** common trade name, the same for all memory sizes and form factors */
  chip: string;
  name: string;
  manufacturer: string;
  /** GB, as the vendor states it */
  mem: number | null;
  /** SXM, PCIe, NVL, OAM, superchip, cloud */
  form_factor: string | null;
  /** additional labels that identify the product, whatever the rules say */
  labels: readonly string[];
}

export type FindChip = (words: readonly string[]) => FoundChip | null;

interface FoundChip {
  /** products of the chip, or of every chip that the words can mean */
  products: readonly KnownProduct[];
  /** words of the label that are not the chip's name */
  others: readonly string[];
}

/** A product with the words of its own name. */
export interface KnownProduct {
  product: MatchableProduct;
  /** words of its name, without brands, fillers, memory and form factor */
  words: ReadonlySet<string>;
  /** words for the manufacturer and its brands; a label can include or omit them */
  brand: ReadonlySet<string>;
}

/**
 * Finds the longest run of whole words that names a chip of the catalogue, the leftmost of equally long ones; null if
 * there is none. Whole words, because GB200 is not B200 and L40S is not L40; the longest, because RTX 6000 Ada is not
 * RTX 6000.
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
 * The full name, and the name without its series (A6000, 3080 Ti) or its generation (RTX 5000 is a Quadro or an Ada).
 * Several chips can share a short name; the rest of the label then has to decide.
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
