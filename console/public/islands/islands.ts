/** The interactive parts of public pages, loaded by the pages that have them. */
export const islands = {
  priceCalculator: async () => (await import('./PriceCalculator')).PriceCalculator,
};
