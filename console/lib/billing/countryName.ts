const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** "DE" → "Germany"; null if it isn't a country code. */
export const countryName = (code: string): string | null =>
  /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? null) : null;
