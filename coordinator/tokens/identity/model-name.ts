const OFFER = /\s*\((free|batch|thinking|extended|beta|nitro|fast)\)\s*$/i;

/** A model's name as people write it, without the developer before it and the offer behind it: `Claude Haiku 4.5`. */
export function modelName(said: string): string | null {
  const name = said
    .replace(OFFER, '')
    .replace(/^[^:]{1,40}: (?=\S)/, '')
    .trim();
  return name === '' ? null : name;
}
