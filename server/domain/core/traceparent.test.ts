import { expect, it } from 'vitest';
import { parseTraceparent, traceparentOf } from './traceparent';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

it.each([
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-00`, false],
  // Other flags don't matter, and a later version may add fields.
  [`00-${TRACE}-${SPAN}-03`, true],
  [`cc-${TRACE}-${SPAN}-01-what-the-future-brings`, true],
])('parses %s', (text, is_sampled) => {
  expect(parseTraceparent(text)).toEqual({ trace_id: TRACE, span_id: SPAN, is_sampled });
});

it.each([
  undefined,
  null,
  '',
  'hello',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  // Node joins repeated headers.
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
])('ignores %j', (text) => {
  expect(parseTraceparent(text)).toBeNull();
});

it('writes what it parses', () => {
  const text = `00-${TRACE}-${SPAN}-01`;
  expect(traceparentOf(parseTraceparent(text)!)).toBe(text);
});
