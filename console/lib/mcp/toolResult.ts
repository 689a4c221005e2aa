import { cutWhole } from '../texts/cutWhole';
import type { McpContent, McpToolResult } from '../../../generated/api/types.gen';
import { nestingOf } from './nesting';

const MAX_BLOCKS = 20;
/** Maximum characters per block. */
const MAX_SHOWN = 20_000;
const MAX_MESSAGE = 2_000;
/** Indentation grows with the square of the nesting depth. */
const MAX_NESTING = 32;

export interface ResultBlock {
  title: string;
  code: string;
  /** Number of characters not shown. */
  hidden: number;
}

/** Returns a tool's result as texts of limited length, with JSON indented. */
export function resultBlocks({ content, structured }: McpToolResult): ResultBlock[] {
  const blocks = content.slice(0, MAX_BLOCKS).map((one) => block(titleOf(one), textOf(one)));
  if (structured !== null) blocks.push(block('Structured result', JSON.stringify(structured)));
  return blocks;
}

/** Returns a call's arguments as text of limited length. */
export const argumentsBlock = (args: Readonly<Record<string, unknown>>): ResultBlock =>
  block('Arguments', JSON.stringify(args));

/** Returns why a tool failed, in its own words. */
export function failureText({ content }: McpToolResult): string {
  const text = content
    .slice(0, MAX_BLOCKS)
    .map((one) => cutWhole(one.text ?? '', MAX_MESSAGE))
    .filter((one) => one !== '')
    .join('\n');
  return text === '' ? 'The tool gave no reason.' : cutWhole(text, MAX_MESSAGE);
}

const TITLES: Record<McpContent['type'], string> = {
  text: 'Text',
  image: 'Image',
  audio: 'Audio',
  resource: 'Resource',
  other: 'Other content',
};

const titleOf = ({ type, mime_type }: McpContent): string =>
  mime_type === null ? TITLES[type] : `${TITLES[type]}, ${mime_type}`;

const textOf = ({ text }: McpContent): string => text ?? 'Not shown.';

function block(title: string, text: string): ResultBlock {
  const code = indented(text);
  return { title, code: cutWhole(code, MAX_SHOWN), hidden: Math.max(0, code.length - MAX_SHOWN) };
}

function indented(text: string): string {
  if (!/^\s*[{[]/.test(text) || text.length > 10 * MAX_SHOWN || nestingOf(text) > MAX_NESTING) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
