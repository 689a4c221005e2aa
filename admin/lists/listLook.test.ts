import { expect, it } from 'vitest';
import { chooseColumns, chosenColumns, isPinned, visibleColumns } from '../../console/ui/data/tableKeys';
import { lookIn, withLook } from './listLook';

it('reads columns and density from the URL and ignores invalid values', () => {
  expect(lookIn('?columns=name,state&density=compact&page=2')).toEqual({
    columns: 'name,state',
    density: 'compact',
  });
  expect(lookIn('?density=huge&columns=')).toEqual({});
  expect(lookIn(`?columns=${'x,'.repeat(50_000)}`)).toEqual({});
});

it('writes them to the URL and keeps other parameters', () => {
  expect(withLook('?sort=name', { columns: 'name', density: 'normal' })).toBe(
    '?sort=name&columns=name&density=normal',
  );
});

it('shows exactly the listed columns, including hidden ones, and at least one', () => {
  const columns = [{ id: 'name' }, { id: 'state' }, { id: 'created_at', defaultHidden: true }];
  const shown = (ids: string[]) => visibleColumns(columns, chooseColumns(columns, ids) ?? '');
  expect(shown(['name', 'created_at']).map(({ id }) => id)).toEqual(['name', 'created_at']);
  expect(chooseColumns(columns, ['constructor', '__proto__'])).toBeNull();
});

it('lets columns named in the address replace the defaults, except those the user checked', () => {
  const columns = [{ id: 'name' }, { id: 'state' }, { id: 'created_at', defaultHidden: true }];
  const choice = chooseColumns(columns, ['name', 'state', 'created_at']) ?? '';
  expect(isPinned(choice, 'state')).toBe(false);
  expect(isPinned(choice, 'created_at')).toBe(true);
  const ticked = `${choice},+state`;
  expect(chosenColumns(columns, ticked)).toBe('name,+state,created_at');
  expect(isPinned(chooseColumns(columns, ['name', '+state']) ?? '', 'state')).toBe(true);
});
