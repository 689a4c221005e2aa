import { normalVatId, prefixOfCountry, vatPrefix } from '../../../../console/lib/billing/vatId';
import { billingDetails, saveBillingDetails } from '../../../db/billing/billingDetails';
import { isCountry } from '../../../domain/billing/countries';
import { invalid } from '../../core/invalid';
import { holdTeam } from '../../core/caller';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { detailsOut } from './detailsOut';

export const updateBillingDetails: Handler<'updateBillingDetails'> = async ({ body, ctx }) => {
  const details = {
    legal_name: textOf(body.legal_name, 'legal_name'),
    address: textOf(body.address, 'address'),
    country: countryOf(body.country),
    vat_id: vatIdOf(body.vat_id, body.country),
  };
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const before = await billingDetails(trx, team.id);
    await saveBillingDetails(trx, team.id, details);
    await audit({
      action: 'billing.details',
      target_kind: 'team',
      target_id: team.public_id,
      before: { ...before },
      after: { ...details },
    });
    return { status: 200, body: detailsOut(ctx, details) } as const;
  });
};

function textOf(given: string | null | undefined, field: string): string | null {
  const text = given?.trim() ?? '';
  if (text === '') return null;
  checkText(text, field);
  return text;
}

function countryOf(country: string | null | undefined): string | null {
  if (country == null) return null;
  if (!isCountry(country)) throw invalid('country', `There is no country with the code ${country}.`);
  return country;
}

function vatIdOf(text: string | null | undefined, country: string | null | undefined): string | null {
  const vatId = normalVatId(text ?? '');
  if (vatId === '') return null;
  const prefix = vatPrefix(vatId);
  if (prefix === null)
    throw invalid(
      'vat_id',
      'Enter the VAT number of an EU member state with its prefix, such as DE123456789.',
    );
  if (country != null && prefixOfCountry(country) !== prefix)
    throw invalid('vat_id', 'The VAT number belongs to another country.');
  return vatId;
}
