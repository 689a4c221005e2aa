import { describe, expect, it } from 'vitest';
import { appBlockedText, appStateOf, LIVE_ROLLOUT, rolloutActions } from './allowedActions';

describe('app actions', () => {
  it('require a CVM', () => {
    const state = appStateOf({ cvms: 0, rollouts: [] });
    expect(appBlockedText('scale_out', state)).toBe('The app has no CVMs. Deploy it again.');
  });

  it('wait for a rollout in progress', () => {
    expect(appBlockedText('roll_out', appStateOf({ cvms: 2, rollouts: ['failed', 'running'] }))).toBe(
      'A rollout is in progress.',
    );
    expect(appBlockedText('roll_out', appStateOf({ cvms: 2, rollouts: ['failed'] }))).toBeUndefined();
  });
});

it('a rollout can be canceled only while it is in progress', () => {
  for (const state of rolloutActions.cancel) expect(LIVE_ROLLOUT).toContain(state);
});
