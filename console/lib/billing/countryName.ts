const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** "DE" → "Germany"; null for what isn't the code of a country. */
export const countryName = (code: string): string | null =>
  /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? null) : null;
