import { expect, test } from 'vitest';
import { badgeOf, shieldsBadge, STOPPED, svgBadge, worstBadge } from './badge';

const STATES = ['verified', 'verified with exceptions', 'not verified', 'unknown', 'simulated'] as const;

test('only evidence that a running guest gave now and that passed everything is green', () => {
  const green = STATES.flatMap((state) =>
    [true, false].flatMap((online) => (badgeOf(state, online).color === 'green' ? [[state, online]] : [])),
  );
  expect(green).toEqual([['verified', true]]);
  expect(STOPPED.color).toBe('grey');
});

test('a simulated app says so, also when it does not respond', () => {
  expect(badgeOf('simulated', false)).toEqual({ message: 'simulated, no TEE', color: 'grey' });
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

test('the picture is named for screen readers and wide enough for its text', () => {
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
