import { cutWhole } from '../texts/cutWhole';
import { isSafeHref, parseInline, type Inline } from '../announcementText';

/*
 * Pages that an operator writes in Markdown: headings, paragraphs, lists, bold, code and links. As with
 * announcements, the text becomes a tree that pages render as text; nothing in it becomes markup.
 */

export type PageBlock =
  | { kind: 'heading'; level: 2 | 3; parts: Inline[] }
  /** More than one line only if the text has explicit line breaks. */
  | { kind: 'paragraph'; lines: Inline[][] }
  /** `start` is the first number of an ordered list; null for one with bullets. */
  | { kind: 'list'; start: number | null; items: Inline[][] };

interface PageText {
  title: string;
  blocks: PageBlock[];
}

const HEADING = /^(#{1,6})[ \t]+(.+)$/;
const ITEM = /^[ \t]*(?:[-*+]|(\d{1,6})[.)])[ \t]+(.*)$/;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/;

/**
 * Whether an operator's link may have this address: those of announcements, plus mail addresses and telephone
 * numbers.
 */
export const isPageHref = (href: string): boolean =>
  isSafeHref(href) || /^mailto:[^\s@?&]+@[^\s@?&]+$/.test(href) || /^tel:\+?[\d-]{3,30}$/.test(href);

type Open =
  | { kind: 'heading'; level: 2 | 3; text: string }
  | { kind: 'paragraph'; lines: string[]; isBroken: boolean }
  | { kind: 'list'; start: number | null; items: string[] };

/** Parses a page. Its title is the leading heading; empty without one. */
export function parsePage(source: string): PageText {
  let title = '';
  const blocks: Open[] = [];
  let isClosed = true;
  for (const line of source.replace(/\r\n?/g, '\n').split('\n')) {
    const text = line.trim();
    if (text === '' || RULE.test(text)) {
      isClosed = true;
      continue;
    }
    const [, marks, words] = HEADING.exec(text) ?? [];
    if (marks !== undefined && words !== undefined) {
      if (blocks.length === 0 && title === '') title = words;
      else blocks.push({ kind: 'heading', level: levelOf(marks, blocks), text: words });
      isClosed = true;
      continue;
    }
    addLine(blocks, line, isClosed);
    isClosed = false;
  }
  return { title, blocks: blocks.map(blockOf) };
}

/** The first heading is never a smaller one, so that no level is skipped. */
const levelOf = (marks: string, blocks: readonly Open[]): 2 | 3 =>
  marks.length > 2 && blocks.some(({ kind }) => kind === 'heading') ? 3 : 2;

function addLine(blocks: Open[], line: string, isClosed: boolean): void {
  const last = blocks.at(-1);
  const text = line.trim().replace(/\\$/, '').trimEnd();
  const item = ITEM.exec(line);
  if (item) {
    const start = item[1] === undefined ? null : Number(item[1]);
    const words = item[2] ?? '';
    // Blank lines between a list's items don't end it.
    if (last?.kind === 'list' && (last.start === null) === (start === null)) last.items.push(words.trim());
    else blocks.push({ kind: 'list', start, items: [words.trim()] });
    return;
  }
  if (!isClosed && last?.kind === 'list') {
    last.items.push(`${last.items.pop() ?? ''} ${text}`);
    return;
  }
  // Two spaces or a backslash at the end of a line force a break.
  const isBroken = line.endsWith('  ') || line.endsWith('\\');
  if (isClosed || last?.kind !== 'paragraph') {
    blocks.push({ kind: 'paragraph', lines: [text], isBroken });
    return;
  }
  if (last.isBroken) last.lines.push(text);
  else last.lines.push(`${last.lines.pop() ?? ''} ${text}`);
  last.isBroken = isBroken;
}

function blockOf(block: Open): PageBlock {
  const parse = (text: string) => parseInline(text, isPageHref);
  switch (block.kind) {
    case 'heading':
      return { kind: 'heading', level: block.level, parts: parse(block.text) };
    case 'paragraph':
      return { kind: 'paragraph', lines: block.lines.map(parse) };
    case 'list':
      return { kind: 'list', start: block.start, items: block.items.map(parse) };
  }
}

/** Returns the first paragraph's text, truncated to `most` characters at a space; empty without one. */
export function pageSummary(blocks: readonly PageBlock[], most: number): string {
  const first = blocks.find((block) => block.kind === 'paragraph');
  const words = (first?.lines ?? []).map((parts) => parts.map(({ text }) => text).join('')).join(' ');
  return cutText(words, most);
}

export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = cutWhole(text, most - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > most / 2 ? cut.slice(0, space) : cut}…`;
}
