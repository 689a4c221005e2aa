import { expect, it } from 'vitest';
import { getResource, resources } from '../schema/resources';
import { childrenOf } from './children';

const named = (parent: string, child: string) =>
  childrenOf(getResource(parent)).find(({ resource }) => resource.name === child)?.resource;

it('calls the invoices that correct another credit notes, on its page', () => {
  expect(named('invoices', 'invoices')).toMatchObject({
    label: 'Credit notes',
    singular: 'credit note',
    plural: 'credit notes',
    // What the document says of invoices isn't about these.
    about: undefined,
    aboutOne: undefined,
  });
  // Elsewhere they are what they are.
  expect(getResource('invoices').label).toBe('Invoices');
  expect(named('workspaces', 'invoices')).toMatchObject({ label: 'Invoices', singular: 'invoice' });
});

it('gives no record two tabs of one name, or a tab of its own kind’s name', () => {
  for (const resource of resources) {
    const labels = childrenOf(resource).map(({ resource: child }) => child.label);
    expect(new Set(labels).size, resource.name).toBe(labels.length);
    expect(labels, resource.name).not.toContain(resource.label);
  }
});

it('gives no CVM, app or team a tab of the drains it is part of', () => {
  for (const name of ['cvms', 'apps', 'workspaces']) expect(named(name, 'drain-cvms')).toBeUndefined();
  expect(named('drains', 'drain-cvms')).toMatchObject({ label: 'CVMs' });
  expect(named('drains', 'teepods')).toBeUndefined();
});

it('puts what runs, members and money before what few teams have', () => {
  const names = childrenOf(getResource('workspaces')).map(({ resource }) => resource.name);
  expect(names.slice(0, 4)).toEqual(['apps', 'cvms', 'members', 'transactions']);
  for (const rare of ['gpus', 'gpu-events', 'duplicate-vms', 'abuse-reports', 'ai-models'])
    if (names.includes(rare)) expect(names.indexOf(rare), rare).toBeGreaterThan(names.indexOf('audit'));
});
