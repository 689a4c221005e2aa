import { expect, it } from 'vitest';
import { openBreakGlass } from './useBreakGlass';

it('has no break-glass sessions if an older server doesn’t report them', () => {
  expect(openBreakGlass({})).toEqual([]);
  const open = [{ username: 'alice', reason: 'INC-7', ends_at: '2026-11-28T10:00:00Z' }];
  expect(openBreakGlass({ break_glass: open })).toEqual(open);
});
