import { expect, test } from 'vitest';
import { badgeOf as badgeOfReport, partialBadge, shieldsBadge, STOPPED, svgBadge, worstBadge } from './badge';

const STATES = ['verified', 'verified with exceptions', 'not verified', 'unknown', 'simulated'] as const;

const badgeOf = (state: (typeof STATES)[number], is_online: boolean) =>
  badgeOfReport({ state, simulated: state === 'simulated' }, is_online);

test('only evidence that a running guest just gave and that passed everything is green', () => {
  const green = STATES.flatMap((state) =>
    [true, false].flatMap((online) => (badgeOf(state, online).color === 'green' ? [[state, online]] : [])),
  );
  expect(green).toEqual([['verified', true]]);
  expect(STOPPED.color).toBe('grey');
});

test('a simulated app says so, even when it does not respond', () => {
  expect(badgeOf('simulated', false)).toEqual({ message: 'simulated, no TEE', color: 'grey' });
});

test('a failed check of a simulated app is red, and still says simulated', () => {
  const report = { state: 'not verified', simulated: true } as const;
  const failed = badgeOfReport(report, true);
  expect(failed).toEqual({ message: 'not verified, simulated', color: 'red' });
  expect(worstBadge([badgeOf('simulated', true), failed])).toEqual(failed);
  expect(badgeOfReport(report, false).message).toBe('simulated, no TEE');
});

test('an app has the badge of its worst running CVM', () => {
  const badges = (states: readonly (typeof STATES)[number][]) => states.map((state) => badgeOf(state, true));
  expect(worstBadge(badges(['verified', 'not verified', 'verified']))).toEqual(badgeOf('not verified', true));
  expect(worstBadge([...badges(['verified']), badgeOf('verified', false)]).message).toBe('not responding');
  expect(worstBadge(badges(['verified', 'verified with exceptions'])).color).toBe('grey');
  expect(worstBadge(badges(['verified', 'verified'])).color).toBe('green');
  expect(worstBadge([])).toEqual(STOPPED);
  for (const state of STATES)
    for (const online of [true, false])
      expect(worstBadge([badgeOf(state, online)]), state).toEqual(badgeOf(state, online));
});

test('an app with more running CVMs than were verified is never green', () => {
  const partial = (state: (typeof STATES)[number]) => partialBadge(badgeOf(state, true));
  expect(partial('verified')).toEqual({ message: 'can’t be verified', color: 'grey' });
  expect(partial('verified with exceptions')).toEqual(partial('verified'));
  for (const state of ['not verified', 'unknown', 'simulated'] as const)
    expect(partial(state)).toEqual(badgeOf(state, true));
});

test('the picture has a name for screen readers and fits its text', () => {
  const svg = svgBadge(badgeOf('verified with exceptions', true));
  expect(svg).toContain('aria-label="TEE: verified with exceptions"');
  expect(Number(/width="(\d+)"/.exec(svg)?.[1])).toBeGreaterThan(24 * 6);
  expect(svgBadge({ message: '<b>&"', color: 'red' })).toContain('&lt;b&gt;&amp;&quot;');
});

test('the shields.io endpoint has its schema', () => {
  expect(shieldsBadge(badgeOf('not verified', true))).toEqual({
    schemaVersion: 1,
    label: 'TEE',
    message: 'not verified',
    color: 'b3261e',
    cacheSeconds: 300,
  });
});
