/** The data of @tgwf/co2 0.19.0, which comes without types. */
declare module '@tgwf/co2/data' {
  interface ZoneYear {
    zone: { zoneName: string; countryName?: string };
    carbonIntensity: { value: number; unit: string };
  }
  /** g CO2e/kWh by ISO 3166-1 alpha-3 and by groups of countries */
  export const averageIntensity: { data: Record<string, number> };
  export const marginalIntensity: { data: Record<string, string> };
  /** `yearly2021` and so on */
  export const electricityMaps: Record<string, { data: Record<string, ZoneYear> }>;
}
