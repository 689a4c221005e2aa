import { describe, expect, it } from 'vitest';
import { drainActions, isAllowed, offeredIn, teepodActions } from './allowedActions';

describe('teepod actions', () => {
  it('offers cordon only for hosts that accept CVMs, and uncordon for all others', () => {
    expect(offeredIn(teepodActions.cordon)).toEqual(['online']);
    expect(isAllowed(teepodActions.uncordon, 'online')).toBe(false);
    expect(isAllowed(teepodActions.uncordon, 'offline')).toBe(true);
  });

  it('accepts draining a host that is down, without offering it', () => {
    expect(isAllowed(teepodActions.drain, 'offline')).toBe(true);
    expect(offeredIn(teepodActions.drain)).toEqual(['online', 'cordoned']);
  });

  it('allows canceling a drain until it finishes', () => {
    expect(isAllowed(drainActions.cancel, 'blocked')).toBe(true);
    expect(isAllowed(drainActions.cancel, 'succeeded')).toBe(false);
  });
});
