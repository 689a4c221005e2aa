import { expect, it } from 'vitest';
import type { Notification } from '../../../generated/api/types.gen';
import { hrefOf } from './texts';

const notification = (over: Partial<Notification>) =>
  ({
    kind: 'invoice',
    team: { slug: 'acme' },
    cvm: null,
    finance_action_id: null,
    ...over,
  }) as Notification;

it('leads from an approval to the action itself', () => {
  expect(hrefOf(notification({ kind: 'finance_action', finance_action_id: 31 }))).toBe(
    '/admin/finance-actions/31',
  );
});

it('leads from an abuse report to those of the admin area', () => {
  expect(hrefOf(notification({ kind: 'abuse_report' }))).toBe('/admin/abuse-reports');
});

it('leads to the page of what it is about', () => {
  expect(hrefOf(notification({}))).toBe('/transactions?team=acme&tab=invoices');
  const cvm = { vm_uuid: 'b7a3' } as Notification['cvm'];
  expect(hrefOf(notification({ kind: 'disk_low', cvm }))).toBe('/acme/cvms/b7a3/usage');
  expect(hrefOf(notification({ kind: 'cvm_down', cvm }))).toBe('/acme/cvms/b7a3/events');
});
