import { expect, it } from 'vitest';
import { ownValue } from '../../../console/lib/ownValue';
import type { Account } from '../../../server/domain/billing/ledger';
import { isSame } from '../../lists/filterValues';
import { describeForm } from '../../schema/forms';
import { resources } from '../../schema/resources';
import { createPanels, editPanels } from '..';
import { actionPanels } from '../actionPanels.gen';
import { minuteTime } from '../../../console/ui/data/time';
import { dueText } from './dueText';
import { accountMeaning, emptyCheckTitle } from './ledgerAccounts';

/** One entry per ledger account; TypeScript reports a new one that is missing here. */
const ACCOUNTS: Readonly<Record<Account, true>> = {
  prepaid: true,
  credits: true,
  revenue: true,
  promotion: true,
  adjustment: true,
  write_off: true,
  tax: true,
  'cash:stripe': true,
  'dispute:stripe': true,
};

it('explains every account of the ledger', () => {
  for (const account of Object.keys(ACCOUNTS)) expect(accountMeaning(account), account).not.toBe('');
});

it('does not call the ledger empty if money was posted after its check', () => {
  expect(emptyCheckTitle({ accounts: [] })).toBe('Nothing to check yet');
  expect(emptyCheckTitle({ accounts: [{ account: 'prepaid', amount: '20.00' }] })).toMatch(
    /^Not checked since/,
  );
});

it('says whether a step after a debt is ahead, overdue or done', () => {
  const texts = ['CVMs stop', 'CVMs were due to stop', 'CVMs stopped'] as const;
  const at = '2026-11-21T08:00:00Z';
  // In the user's time zone.
  const on = minuteTime(at);
  expect(dueText(texts, at, null, Date.parse(at) - 1)).toBe(`CVMs stop on ${on}`);
  expect(dueText(texts, at, null, Date.parse(at))).toBe(`CVMs were due to stop on ${on}`);
  expect(dueText(texts, at, at, Date.parse(at))).toBe(`CVMs stopped on ${on}`);
});

it('keeps the column of a fixed filter with several values', () => {
  expect(isSame({ team_id: 7 }, 'team_id')).toBe(true);
  expect(isSame({ team_id: [7] }, 'team_id')).toBe(true);
  expect(isSame({ team_id: [7, 8] }, 'team_id')).toBe(false);
  expect(isSame({ team_id: 7 }, 'kind')).toBe(false);
  expect(isSame(undefined, 'team_id')).toBe(false);
});

it('explains the limit in every form that may need approval', () => {
  const missing = resources.flatMap(({ name, forms, accepted, actions }) => [
    ...(accepted.create !== undefined && describeForm(forms.create).some((field) => field.name === 'team_id')
      ? [[name, Object.hasOwn(createPanels, name)]]
      : []),
    ...actions
      .filter((action) => action.accepted !== undefined)
      .map((action) => [
        `${name} ${action.name}`,
        Object.hasOwn(ownValue(actionPanels, name) ?? {}, action.name),
      ]),
  ]);
  for (const name of ['promotion-codes', 'order-products'])
    missing.push(
      [name, Object.hasOwn(createPanels, name)],
      [`${name} edit`, Object.hasOwn(editPanels, name)],
    );
  expect(missing.length).toBeGreaterThan(0);
  expect(missing.filter(([, has]) => !has)).toEqual([]);
});
