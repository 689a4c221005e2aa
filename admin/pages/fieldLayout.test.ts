import { expect, it } from 'vitest';
import { getResource } from '../schema/resources';
import { arrange, isWorthALine } from './fieldLayout';

it('shows beside the values when they were read, and other times in the aside', () => {
  const { details, aside } = arrange(getResource('kms-contracts'));
  const names = (fields: typeof details) => fields.map(({ name }) => name);
  expect(names(details)).toContain('read_at');
  expect(names(aside)).toEqual(expect.arrayContaining(['id', 'block_at', 'created_at']));
  expect(names(aside)).not.toContain('read_at');
});

it('shows in the details of money when it was ordered, paid and due', () => {
  const names = (resource: string) => arrange(getResource(resource)).details.map(({ name }) => name);
  expect(names('orders')).toEqual(expect.arrayContaining(['starts_at', 'ends_at', 'created_at']));
  expect(names('payments')).toContain('created_at');
  expect(names('invoices')).toEqual(expect.arrayContaining(['issued_at', 'due_at']));
});

it.each([
  ['orders', 'name'],
  ['credits', 'amount'],
])('starts the list of %s with the %s, so that a link named after the team opens the team', (name, first) => {
  const columns = getResource(name).columns.map((column) => column.name);
  expect(columns.slice(0, 2)).toEqual([first, 'team_id']);
});

it('keeps the ID of money among the details, because it isn’t the headline', () => {
  const names = (resource: string) => arrange(getResource(resource)).details.map(({ name }) => name);
  expect(names('credits')).toContain('public_id');
  expect(names('nodes')).not.toContain('name');
});

it('omits fields that a record doesn’t have', () => {
  for (const value of [null, undefined, '', [], {}]) expect(isWorthALine({}, value)).toBe(false);
  // For most fields, No and 0 are meaningful.
  for (const value of [false, 0, 'none', 'x', [1]]) expect(isWorthALine({}, value)).toBe(true);
  for (const value of [false, 0, 'none']) expect(isWorthALine({ onPage: 'if_set' }, value)).toBe(false);
  for (const value of [true, 2, 'bearer']) expect(isWorthALine({ onPage: 'if_set' }, value)).toBe(true);
});

it('has no lines of zeros for teepods and teams, and shows a drain’s numbers in its panel', () => {
  const quiet = (resource: string) =>
    arrange(getResource(resource)).details.flatMap(({ name, onPage }) => (onPage === 'if_set' ? [name] : []));
  expect(quiet('teepods')).toEqual(
    expect.arrayContaining(['has_credential', 'credential_kind', 'attach_all_gpus', 'port_mapping', 'drift']),
  );
  expect(quiet('workspaces')).toEqual(expect.arrayContaining(['used_gpus', 'reserved_gpus', 'in_debt']));
  const details = arrange(getResource('drains')).details.map(({ name }) => name);
  expect(details.filter((name) => name.endsWith('_cvms'))).toEqual([]);
});
