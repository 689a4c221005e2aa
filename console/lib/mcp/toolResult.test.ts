import { expect, it } from 'vitest';
import type { McpContent, McpToolResult } from '../../../generated/api/types.gen';
import { failureText, resultBlocks } from './toolResult';

const text = (value: string): McpContent => ({ type: 'text', text: value, mime_type: null });
const result = (content: McpContent[], structured: McpToolResult['structured'] = null): McpToolResult => ({
  failed: false,
  content,
  structured,
  ms: 5,
});

it('indents JSON and leaves other text unchanged', () => {
  expect(resultBlocks(result([text('{"found":0}'), text('[not json'), text('plain')], { sum: 42 }))).toEqual([
    { title: 'Text', code: '{\n  "found": 0\n}', hidden: 0 },
    { title: 'Text', code: '[not json', hidden: 0 },
    { title: 'Text', code: 'plain', hidden: 0 },
    { title: 'Structured result', code: '{\n  "sum": 42\n}', hidden: 0 },
  ]);
});

it('describes content without text', () => {
  expect(resultBlocks(result([{ type: 'image', text: null, mime_type: 'image/png' }]))).toEqual([
    { title: 'Image, image/png', code: 'Not shown.', hidden: 0 },
  ]);
});

it('shows a limited part of a result', () => {
  const [first] = resultBlocks(result([text('x'.repeat(1_000_000))]));
  expect([first?.code.length, first?.hidden]).toEqual([20_000, 980_000]);
  expect(resultBlocks(result(Array.from({ length: 100 }, () => text('x'))))).toHaveLength(20);
  // Indented, this would take hundreds of megabytes.
  const deep = '['.repeat(9_000) + ']'.repeat(9_000);
  expect(resultBlocks(result([text(deep)]))[0]?.code).toBe(deep);
});

it('explains why a tool failed', () => {
  expect(failureText(result([text('The shop is closed.'), text('Try later.')]))).toBe(
    'The shop is closed.\nTry later.',
  );
  expect(failureText(result([]))).toBe('The tool gave no reason.');
  expect(failureText(result([text('x'.repeat(1_000_000))]))).toHaveLength(2_000);
});
