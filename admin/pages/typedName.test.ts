import { expect, it } from 'vitest';
import { headlineOf, spokenOf, type AdminRecord } from '../record';
import { getResource, resources } from '../schema/resources';

const record: AdminRecord = { id: 7, public_id: 'cr_0123456789abcdef', amount: '25.000000', name: 'rack1-a' };

const confirmed = resources.filter(
  ({ actions, permissions }) => permissions.delete !== undefined || actions.some(({ danger }) => danger),
);

it.each(confirmed.map((resource) => [resource.name, resource] as const))(
  'before what can’t be undone to one of the %s, what the headline of its page names is typed',
  (_name, resource) => {
    const shown = { ...record, [resource.titleField]: record[resource.titleField] ?? 'its name' };
    expect(headlineOf(resource, shown)).toContain(spokenOf(resource, shown));
  },
);

it('is the amount for money, which has no name, and the name for a teepod', () => {
  expect(spokenOf(getResource('credits'), record)).toBe('$25.00');
  expect(spokenOf(getResource('teepods'), record)).toBe('rack1-a');
});
