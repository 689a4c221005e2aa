import { vatPrefix } from '../../../console/lib/billing/vatId';

/** Which tax rule applies to an invoice. */

export type TaxRule = 'none' | 'fixed' | 'reverse_charge';

export interface TaxSettings {
  /** `reverse_charge`: the fixed rate, except for businesses of other member states of the European Union. */
  tax_rule: TaxRule;
  /** In 1/10000. */
  tax_rate: number;
  seller_vat_id: string | null;
}

export interface Tax {
  tax_rule: TaxRule;
  /** In 1/10000. */
  tax_rate: number;
}

/**
 * Returns a payer's tax. Reverse charge applies if both VAT numbers are well formed and from different member
 * states (Directive 2006/112/EC, articles 44 and 196).
 *
 * @param vat_id normalized
 */
export function taxOf({ tax_rule, tax_rate, seller_vat_id }: TaxSettings, vat_id: string | null): Tax {
  if (tax_rule === 'none' || tax_rate === 0) return { tax_rule: 'none', tax_rate: 0 };
  if (tax_rule === 'reverse_charge' && vat_id !== null && seller_vat_id !== null) {
    const [payer, seller] = [vatPrefix(vat_id), vatPrefix(seller_vat_id)];
    if (payer !== null && seller !== null && payer !== seller)
      return { tax_rule: 'reverse_charge', tax_rate: 0 };
  }
  return { tax_rule: 'fixed', tax_rate };
}
