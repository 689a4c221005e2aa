import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SpendChange } from './SpendChange';

const text = (props: { before: number; after: number; hourly?: boolean }) =>
  renderToStaticMarkup(createElement(SpendChange, { label: 'Cost', ...props })).replaceAll(
    /<style[^]*?<\/style>|<[^>]*>/g,
    '',
  );

it('shows the rate per hour and month, before and after the action', () => {
  expect(text({ before: 2000, after: 58_000 })).toBe('Cost: $0.002 → $0.058 / hour, $1.46 → $42.34 / month');
  expect(text({ before: 58_000, after: 0 })).toBe('Cost: $0.058 → $0.00 / hour, $42.34 → $0.00 / month');
});

it('shows an unchanged rate once', () => {
  expect(text({ before: 58_000, after: 58_000 })).toBe('Cost: $0.058 / hour, $42.34 / month (unchanged)');
});

it('shows no monthly cost for a rate that lasts less than a month', () => {
  expect(text({ before: 58_000, after: 2000, hourly: true })).toBe('Cost: $0.058 → $0.002 / hour');
});
