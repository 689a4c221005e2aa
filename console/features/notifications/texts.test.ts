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

it('links an approval to the action itself', () => {
  expect(hrefOf(notification({ kind: 'finance_action', finance_action_id: 31 }))).toBe(
    '/admin/finance-actions/31',
  );
});

it('links an abuse report to the admin area’s reports', () => {
  expect(hrefOf(notification({ kind: 'abuse_report' }))).toBe('/admin/abuse-reports');
});

it('links the announcement of a deletion to the exports', () => {
  expect(hrefOf(notification({ kind: 'retention' }))).toBe('/acme/members?tab=settings');
});

it('links to the page of its subject', () => {
  expect(hrefOf(notification({}))).toBe('/transactions?team=acme&tab=invoices');
  const cvm = { vm_uuid: 'b7a3' } as Notification['cvm'];
  expect(hrefOf(notification({ kind: 'disk_low', cvm }))).toBe('/acme/cvms/b7a3/usage');
  expect(hrefOf(notification({ kind: 'domain_trouble', cvm }))).toBe('/acme/cvms/b7a3/network');
  expect(hrefOf(notification({ kind: 'cvm_down', cvm }))).toBe('/acme/cvms/b7a3/events');
});
