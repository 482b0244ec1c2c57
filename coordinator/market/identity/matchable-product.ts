/** What of a product its name can tell. */
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
