import { describe, expect, it } from 'vitest';
import { taxOf, type TaxSettings } from './tax';

const settings: TaxSettings = { tax_rule: 'reverse_charge', tax_rate: 1900, seller_vat_id: 'DE123456789' };

describe('the tax of an invoice', () => {
  it.each([
    ['nothing by the rule none', { ...settings, tax_rule: 'none' }, 'FR12345678901', ['none', 0]],
    ['nothing at a rate of 0', { ...settings, tax_rate: 0 }, null, ['none', 0]],
    ['the rate by the rule fixed', { ...settings, tax_rule: 'fixed' }, 'FR12345678901', ['fixed', 1900]],
    ['the rate without a VAT number', settings, null, ['fixed', 1900]],
    ['the rate with one that has no valid format', settings, 'FR1', ['fixed', 1900]],
    ['the rate with one of the seller’s country', settings, 'DE987654321', ['fixed', 1900]],
    ['nothing for a business of another member state', settings, 'FR12345678901', ['reverse_charge', 0]],
    [
      'the rate if the seller has none',
      { ...settings, seller_vat_id: null },
      'FR12345678901',
      ['fixed', 1900],
    ],
  ] as const)('is %s', (_what, given, vat_id, [tax_rule, tax_rate]) => {
    expect(taxOf(given, vat_id)).toEqual({ tax_rule, tax_rate });
  });
});
