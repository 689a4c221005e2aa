import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Elapsed } from './RelativeTime';

const textOf = (props: Parameters<typeof Elapsed>[0]) =>
  renderToStaticMarkup(createElement(Elapsed, props))
    .replaceAll(/<[^>]*>/g, '')
    .replace('&lt;', '<');

it('an uptime that just began is less than a second, not 0 ms', () => {
  expect(textOf({ since: Date.now() })).toBe('< 1 s');
  // A clock that is ahead of the server's counts nothing negative.
  expect(textOf({ since: Date.now() + 5_000 })).toBe('< 1 s');
  expect(textOf({ since: Date.now() - 61_500 })).toBe('1 min');
});

it('a finished step keeps its milliseconds', () => {
  expect(textOf({ since: 1_000, until: 1_840 })).toBe('840 ms');
});
