import { describe, expect, it } from 'vitest';
import { chooseColumn, isPinned, nextRow, visibleColumns } from './tableKeys';

describe('nextRow', () => {
  it('moves with j and k and stops at the ends', () => {
    expect(nextRow('j', -1, 3)).toBe(0);
    expect(nextRow('j', 2, 3)).toBe(2);
    expect(nextRow('k', 0, 3)).toBe(0);
    expect(nextRow('k', -1, 3)).toBe(2);
  });
  it('ignores other keys and empty tables', () => {
    expect(nextRow('x', 0, 3)).toBeNull();
    expect(nextRow('j', -1, 0)).toBeNull();
  });
});

describe('columns', () => {
  const columns = [{ id: 'name' }, { id: 'status' }, { id: 'id', defaultHidden: true }];
  const ids = (stored: string) => visibleColumns(columns, stored).map((column) => column.id);
  it('starts with the defaults', () => expect(ids('')).toEqual(['name', 'status']));
  it('remembers shown and hidden columns', () => {
    const once = chooseColumn('', 'id', true);
    expect(ids(once)).toEqual(['name', 'status', 'id']);
    expect(ids(chooseColumn(once, 'status', false))).toEqual(['name', 'id']);
    expect(ids(chooseColumn(once, 'id', false))).toEqual(['name', 'status']);
  });
  it('pins only the user’s choices, so that other columns are still hidden in a narrow table', () => {
    const stored = chooseColumn('', 'id', true);
    expect(isPinned(stored, 'id')).toBe(true);
    expect(isPinned(stored, 'status')).toBe(false);
  });
  it('never hides the first column', () => expect(ids(chooseColumn('', 'name', false))).toContain('name'));
  it('shows a column added after the choice was saved', () => {
    const stored = chooseColumn('', 'status', false);
    expect(visibleColumns([...columns, { id: 'cost' }], stored).map((column) => column.id)).toEqual([
      'name',
      'cost',
    ]);
  });
});
