import { expect, it } from 'vitest';
import type { ColumnDescription } from '../schema/types';
import { resources } from '../schema/resources';
import { permittedList } from './filterValues';
import { exportColumns, isView, queryOf, viewQuery } from './listQuery';

const list = {
  filterValues: { state: 'online' },
  sort: { field: 'name', order: 'ASC' },
  perPage: 25,
  columns: 'name,state',
  density: 'compact',
};

it('keeps columns and density in a view, but not the page', () => {
  expect(Object.fromEntries(new URLSearchParams(queryOf(list)))).toEqual({
    filter: '{"state":"online"}',
    sort: 'name',
    order: 'ASC',
    perPage: '25',
    columns: 'name,state',
    density: 'compact',
  });
  expect(viewQuery('?page=3&columns=name&sort=name')).toBe('columns=name&sort=name');
});

it('matches a view only with the same columns and density', () => {
  const view = queryOf(list);
  expect(isView(view, queryOf(list))).toBe(true);
  expect(isView(view, queryOf({ ...list, columns: 'name' }))).toBe(false);
  expect(isView(view, queryOf({ ...list, density: 'normal' }))).toBe(false);
});

it('recognizes a view saved before columns and density were stored', () => {
  const before = 'filter={"state":"online"}&order=ASC&perPage=25&sort=name';
  expect(isView(before, queryOf(list))).toBe(true);
  expect(isView(before, queryOf({ ...list, perPage: 50 }))).toBe(false);
});

it('filters and sorts users by email only for staff who see it', () => {
  const users = resources.find(({ name }) => name === 'users')!;
  const offers = (permissions: string[]) => {
    const { filters, columns } = permittedList(users, permissions);
    return [
      filters.some(({ name }) => name === 'email'),
      columns.find(({ name }) => name === 'email')?.sortable,
    ];
  };
  expect(offers(['admin.users.read'])).toEqual([false, false]);
  expect(offers(['admin.users.read', 'admin.users.pii'])).toEqual([true, true]);
});

it('exports the visible columns, with the names of referenced records', () => {
  const columns = [
    { name: 'name', type: 'text' },
    { name: 'team_id', type: 'reference' },
  ] as ColumnDescription[];
  expect(exportColumns({ columns }, ['name', 'team_id'])).toEqual(['name', 'team_id.name']);
});
