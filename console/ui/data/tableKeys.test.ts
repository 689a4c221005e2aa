import { describe, expect, it } from 'vitest';
import { nextRow, toggleColumn, visibleColumns } from './tableKeys';

describe('nextRow', () => {
  it('moves with j and k and stops at the ends', () => {
    expect(nextRow('j', -1, 3)).toBe(0);
    expect(nextRow('j', 2, 3)).toBe(2);
    expect(nextRow('k', 0, 3)).toBe(0);
    expect(nextRow('k', -1, 3)).toBe(2);
  });
  it('leaves other keys, and empty tables, alone', () => {
    expect(nextRow('x', 0, 3)).toBeNull();
    expect(nextRow('j', -1, 0)).toBeNull();
  });
});

describe('columns', () => {
  const columns = [{ id: 'name' }, { id: 'status' }, { id: 'id', defaultHidden: true }];
  const ids = (stored: string) => visibleColumns(columns, stored).map((column) => column.id);
  it('starts with the defaults', () => expect(ids('')).toEqual(['name', 'status']));
  it('remembers what was shown and hidden', () => {
    const once = toggleColumn(columns, '', 'id');
    expect(ids(once)).toEqual(['name', 'status', 'id']);
    expect(ids(toggleColumn(columns, once, 'status'))).toEqual(['name', 'id']);
  });
  it('never hides the first column', () => expect(ids(toggleColumn(columns, '', 'name'))).toContain('name'));
  it('shows a column that is newer than the choice', () => {
    const stored = toggleColumn(columns, '', 'status');
    expect(visibleColumns([...columns, { id: 'cost' }], stored).map((column) => column.id)).toEqual([
      'name',
      'cost',
    ]);
  });
});
