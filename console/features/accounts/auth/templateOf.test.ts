import { expect, test } from 'vitest';
import { templateOf } from './templateOf';

test.each([
  ['/launch?template=postgresql', 'postgresql'],
  ['/launch?size=tdx.small&template=mcp-memory#form', 'mcp-memory'],
  ['/launch?template=mcp%2Dmemory', 'mcp-memory'],
  ['/launch?xtemplate=postgresql', null],
  ['/launch?template=<b>free</b>', null],
  ['/launch?template=', null],
  ['/launch#template=postgresql', null],
  ['/acme/launch?template=postgresql', null],
  ['/launch', null],
])('reads the template that %s leads to', (next, id) => {
  expect(templateOf(next)).toBe(id);
});
