import { expect, it } from 'vitest';
import { countryName } from './countryName';

it('names the country of a code, and nothing else', () => {
  expect(countryName('DE')).toBe('Germany');
  for (const code of ['', 'D', 'QQ', 'de', '12']) expect(countryName(code), code).toBeNull();
});
