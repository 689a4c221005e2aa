/** Nodes without a region have null in the API and an empty string in the address. */
export const regionName = (region: string | null): string => (region ? region : 'No region');
