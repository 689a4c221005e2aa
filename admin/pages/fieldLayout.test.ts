import { expect, it } from 'vitest';
import { getResource } from '../schema/resources';
import { arrange } from './fieldLayout';

it('says beside the values when they were read, and other times in the aside', () => {
  const { details, aside } = arrange(getResource('kms-contracts'));
  const names = (fields: typeof details) => fields.map(({ name }) => name);
  expect(names(details)).toContain('read_at');
  expect(names(aside)).toEqual(expect.arrayContaining(['id', 'block_at', 'created_at']));
  expect(names(aside)).not.toContain('read_at');
});

it('says with the details of money when it was ordered, paid and due', () => {
  const names = (resource: string) => arrange(getResource(resource)).details.map(({ name }) => name);
  expect(names('orders')).toEqual(expect.arrayContaining(['starts_at', 'ends_at', 'created_at']));
  expect(names('payments')).toContain('created_at');
  expect(names('invoices')).toEqual(expect.arrayContaining(['issued_at', 'due_at']));
});

it('begins the list of orders with the order, so that a link named by its team leads to the team', () => {
  expect(
    getResource('orders')
      .columns.slice(0, 2)
      .map(({ name }) => name),
  ).toEqual(['public_id', 'team_id']);
});
