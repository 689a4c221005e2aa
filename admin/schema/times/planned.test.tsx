import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Cell } from '../Cell';
import { Fact } from '../Fact';
import { getResource } from '../resources';

const stop_at = getResource('drains').fields.find(({ name }) => name === 'stop_at');

/** Far in the future, so that only a valid plan shows "in …". */
const shown = (finished_at: string | null, at = '2999-11-21T08:00:00Z') => {
  if (!stop_at) throw new Error('drains have no stop time');
  const props = { field: stop_at, value: at, record: { id: 1, stop_at: at, finished_at } };
  const text = (html: string) => html.replaceAll(/<style[^>]*>.*?<\/style>/g, '').replaceAll(/<[^>]*>/g, ' ');
  return {
    cell: text(renderToStaticMarkup(<Cell {...props} />)),
    fact: text(renderToStaticMarkup(<Fact {...props} />)),
  };
};

it('says that a canceled drain’s stop time is no longer planned', () => {
  const { cell, fact } = shown('2026-11-20T08:00:00Z');
  expect(cell).toContain('No longer planned');
  expect(fact).toMatch(/2999.*No longer planned/);
  expect(fact).not.toMatch(/\bin \d/);
});

it('counts down to the stop time of a drain in progress', () => {
  const { cell, fact } = shown(null);
  expect(cell).toMatch(/2999/);
  expect(fact).toMatch(/2999/);
  expect(cell + fact).not.toContain('No longer planned');
});

it('keeps the stop time of a drain that ended after it', () => {
  const { cell, fact } = shown('2026-11-20T08:00:00Z', '2026-11-19T08:00:00Z');
  expect(cell).toMatch(/2026/);
  expect(cell + fact).not.toContain('No longer planned');
});
