import { expect, it } from 'vitest';
import { redeemErrors } from './redeem';

it('shows either the fault of the typed code or the refusal of the last one', () => {
  const refused = { title: 'Couldn’t redeem the code', message: 'This code isn’t valid for your team.' };
  expect(redeemErrors('TEA10', { tried: true, refused })).toEqual({ field: undefined, form: refused });
  expect(redeemErrors(' ', { tried: true, refused })).toEqual({ field: 'Enter the code.', form: null });
  expect(redeemErrors('x'.repeat(41), { tried: true, refused })).toEqual({
    field: 'A code has at most 40 characters.',
    form: null,
  });
  expect(redeemErrors('', { tried: false, refused: null })).toEqual({ field: undefined, form: null });
});
