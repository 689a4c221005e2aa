import { expect, it } from 'vitest';
import { countryName } from './countryName';

it('returns names only for country codes', () => {
  expect(countryName('DE')).toBe('Germany');
  for (const code of ['', 'D', 'QQ', 'de', '12']) expect(countryName(code), code).toBeNull();
});
