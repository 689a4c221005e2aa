import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Elapsed } from './RelativeTime';

const textOf = (props: Parameters<typeof Elapsed>[0]) =>
  renderToStaticMarkup(createElement(Elapsed, props))
    .replaceAll(/<[^>]*>/g, '')
    .replace('&lt;', '<');

// Elapsed time counts in whole seconds of the clock, so that a whole page changes together.
beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_400 }));
afterEach(() => void vi.useRealTimers());

it('an uptime that just began is less than a second, not 0 ms', () => {
  expect(textOf({ since: Date.now() })).toBe('< 1 s');
  // A clock that is ahead of the server's counts nothing negative.
  expect(textOf({ since: Date.now() + 5_000 })).toBe('< 1 s');
  expect(textOf({ since: Date.now() - 61_500 })).toBe('1 min 1 s');
});

it('a finished step keeps its milliseconds', () => {
  expect(textOf({ since: 1_000, until: 1_840 })).toBe('840 ms');
});
