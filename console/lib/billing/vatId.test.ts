import { describe, expect, it } from 'vitest';
import { normalVatId, prefixOfCountry, vatPrefix } from './vatId';

describe('VAT numbers', () => {
  it.each([
    ['DE123456789', 'DE'],
    ['ATU12345678', 'AT'],
    ['FRXX123456789', 'FR'],
    ['ESX1234567X', 'ES'],
    ['NL123456789B01', 'NL'],
    ['EL123456789', 'EL'],
    ['IE1234567WA', 'IE'],
  ])('%s has the %s format', (vatId, prefix) => {
    expect(vatPrefix(vatId)).toBe(prefix);
  });

  it.each(['', 'DE', 'DE12345678', 'DE1234567890', 'GR123456789', 'US123456789', 'XI123456789', '__proto__'])(
    'rejects %j',
    (vatId) => {
      expect(vatPrefix(vatId)).toBeNull();
    },
  );

  it('are compared without separators', () => {
    expect(normalVatId(' de 123.456-789 ')).toBe('DE123456789');
    expect(prefixOfCountry('GR')).toBe('EL');
    expect(prefixOfCountry('DE')).toBe('DE');
  });
});
