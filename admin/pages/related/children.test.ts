import { expect, it } from 'vitest';
import { getResource, resources } from '../../schema/resources';
import { childFilter, leftOut } from './child';
import { childrenOf } from './children';

const named = (parent: string, child: string) =>
  childrenOf(getResource(parent)).find(({ resource }) => resource.name === child)?.resource;

it('names invoices that correct another one credit notes on its page', () => {
  expect(named('invoices', 'invoices')).toMatchObject({
    label: 'Credit notes',
    singular: 'credit note',
    plural: 'credit notes',
    // The document's description of invoices doesn't fit these.
    about: undefined,
    aboutOne: undefined,
  });
  // Elsewhere they keep their own name.
  expect(getResource('invoices').label).toBe('Invoices');
  expect(named('workspaces', 'invoices')).toMatchObject({ label: 'Invoices', singular: 'invoice' });
});

it('gives no record two tabs with the same name, or a tab named like its own kind', () => {
  for (const resource of resources) {
    const labels = childrenOf(resource).map(({ resource: child }) => child.label);
    expect(new Set(labels).size, resource.name).toBe(labels.length);
    expect(labels, resource.name).not.toContain(resource.label);
  }
});

it('gives no CVM, app or team a tab for the drains it is part of', () => {
  for (const name of ['cvms', 'apps', 'workspaces']) expect(named(name, 'drain-cvms')).toBeUndefined();
  expect(named('drains', 'drain-cvms')).toMatchObject({ label: 'CVMs' });
  expect(named('drains', 'teepods')).toBeUndefined();
});

it('puts workloads, members and money before rarely used tabs', () => {
  const names = childrenOf(getResource('workspaces')).map(({ resource }) => resource.name);
  expect(names.slice(0, 4)).toEqual(['apps', 'cvms', 'members', 'transactions']);
  for (const rare of ['gpus', 'gpu-events', 'duplicate-vms', 'abuse-reports', 'ai-models'])
    if (names.includes(rare)) expect(names.indexOf(rare), rare).toBeGreaterThan(names.indexOf('audit'));
});

it('counts and lists below a record only what its numbers count, and says what is hidden', () => {
  const below = (parent: string, child: string) => {
    const found = childrenOf(getResource(parent)).find(({ resource }) => resource.name === child);
    if (!found) throw new Error(`${parent} have no ${child}`);
    return [childFilter(found, 7), leftOut(found, 7)];
  };
  expect(below('workspaces', 'cvms')).toEqual([
    { team_id: 7, deleted_at: null },
    {
      text: 'Deleted CVMs are hidden.',
      allHref: `/admin/cvms?filter=${encodeURIComponent('{"team_id":7}')}`,
    },
  ]);
  expect(below('workspaces', 'apps')).toMatchObject([
    { team_id: 7, archived_at: null },
    { text: 'Archived apps are hidden.' },
  ]);
  expect(below('apps', 'cvms')[0]).toEqual({ app_id: 7, deleted_at: null });
  expect(below('workspaces', 'members')).toEqual([{ team_id: 7 }, null]);
});
