import { describe, expect, it } from 'vitest';
import { financeActionTexts } from '../../../console/lib/billing/financeActions';
import { isOffered } from '../../pages/action';
import { describeForm } from '../../schema/forms';
import { getResource } from '../../schema/resources';
import { errorOf } from '../../schema/value';
import { requestedFields, targetOf } from './requestedFields';

const labels = (action: Parameters<typeof requestedFields>[0]['action'], request: object) =>
  requestedFields({ action, request: JSON.stringify(request) }, describeForm).map(({ field, value }) => [
    field.label,
    field.type,
    value,
  ]);

describe('a finance action’s request', () => {
  it('has the labels of its form, with amounts as money', () => {
    expect(labels('confirm_payment', { amount: '500.00', bank_reference: 'B-17' })).toEqual([
      ['Amount', 'money', '500.00'],
      ['Bank reference', 'text', 'B-17'],
    ]);
    expect(labels('adjust_balance', { team_id: 7, amount: '-12.50', reason: 'A correction' })).toEqual([
      ['Amount', 'money', '-12.50'],
    ]);
  });

  it('shows no amount as plain text', () => {
    const amounts = Object.keys(financeActionTexts).flatMap((action) => {
      const found: [string, string][] = [];
      requestedFields({ action: action as keyof typeof financeActionTexts, request: '{}' }, (schema) => {
        for (const field of describeForm(schema))
          if (field.pattern !== undefined && errorOf(field, '12.50') === undefined)
            found.push([`${action} ${field.name}`, field.type]);
        return [];
      });
      return found;
    });
    expect(amounts.length).toBeGreaterThan(0);
    expect(amounts.filter(([, type]) => type !== 'money')).toEqual([]);
  });

  it('links to the record it changes', () => {
    expect(targetOf({ action: 'refund_payment', target_id: '31' })).toEqual({ resource: 'payments', id: 31 });
    expect(targetOf({ action: 'grant_credit', target_id: null })).toBeNull();
  });

  it('has a form for every action', () => {
    for (const action of Object.keys(financeActionTexts) as (keyof typeof financeActionTexts)[])
      expect(
        requestedFields({ action, request: '{}' }, (schema) => {
          expect(schema, action).toBeDefined();
          return [];
        }),
      ).toEqual([]);
  });
});

it('offers approval of a pending request to everyone except its requester', () => {
  const { actions } = getResource('finance-actions');
  const offered = (record: object) =>
    actions.filter((action) => isOffered(action, { id: 1, ...record })).map(({ name }) => name);
  expect(offered({ state: 'pending', is_own: false })).toEqual(['approve', 'reject']);
  expect(offered({ state: 'pending', is_own: true })).toEqual(['reject']);
  expect(offered({ state: 'done', is_own: false })).toEqual([]);
});
