/** `zipcodes` 8.0.0 comes without types. */
declare module 'zipcodes' {
  const zipcodes: { codes: Record<string, { zip: string; state: string; country: string }> };
  export default zipcodes;
}
