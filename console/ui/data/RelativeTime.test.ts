import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Elapsed, RelativeTime } from './RelativeTime';

const textOf = (props: Parameters<typeof Elapsed>[0]) =>
  renderToStaticMarkup(createElement(Elapsed, props))
    .replaceAll(/<[^>]*>/g, '')
    .replace('&lt;', '<');

// Elapsed time uses the clock's whole seconds, so that the whole page updates together.
beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_400 }));
afterEach(() => void vi.useRealTimers());

it('shows an uptime that just started as less than a second, not 0 ms', () => {
  expect(textOf({ since: Date.now() })).toBe('< 1 s');
  // A server clock that is ahead must not lead to negative times.
  expect(textOf({ since: Date.now() + 5_000 })).toBe('< 1 s');
  expect(textOf({ since: Date.now() - 61_500 })).toBe('1 min 1 s');
});

it('keeps the milliseconds of a finished step', () => {
  expect(textOf({ since: 1_000, until: 1_840 })).toBe('840 ms');
});

it('uses whole words in sentences', () => {
  const shown = (props: Parameters<typeof RelativeTime>[0]) =>
    renderToStaticMarkup(createElement(RelativeTime, props)).replaceAll(/<[^>]*>/g, '');
  const at = Date.now() + 7 * 86_400_000;
  expect(shown({ at })).toBe('in 7 d');
  expect(shown({ at, inWords: true })).toBe('in 7 days');
});
