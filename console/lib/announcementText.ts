/*
 * Announcement text: plain, with a small subset of Markdown. It is parsed into a tree that pages render as
 * text; nothing becomes markup, so nothing needs escaping.
 */

export type Inline =
  | { kind: 'text' | 'strong' | 'code'; text: string }
  | { kind: 'link'; text: string; href: string };

export type Block = { kind: 'paragraph'; lines: Inline[][] } | { kind: 'list'; items: Inline[][] };

const INLINE = /\*\*(?<strong>[^*\n]+)\*\*|`(?<code>[^`\n]+)`|\[(?<words>[^[\]\n]+)\]\((?<href>[^()\s]+)\)/g;
const ITEM = /^[-*] +/;

/** URLs a link may have: on the web or on this server. */
export const isSafeHref = (href: string) => /^(https?:\/\/|\/(?!\/))\S*$/.test(href) && !href.includes('\\');

/** Blank lines separate paragraphs; lines that start with `-` or `*` form a list. */
export function parseAnnouncement(text: string): Block[] {
  const blocks: Block[] = [];
  for (const chunk of text.replaceAll('\r\n', '\n').split(/\n\s*\n/)) {
    let open = null as Block | null;
    for (const line of chunk.split('\n')) {
      if (line.trim() === '') continue;
      const kind = ITEM.test(line) ? 'list' : 'paragraph';
      if (open?.kind !== kind) {
        open = kind === 'list' ? { kind, items: [] } : { kind, lines: [] };
        blocks.push(open);
      }
      const parts = parseInline(line.replace(ITEM, '').trim());
      if (open.kind === 'list') open.items.push(parts);
      else open.lines.push(parts);
    }
  }
  return blocks;
}

/** @param isAllowed whether a link may have this address; others stay text */
export function parseInline(line: string, isAllowed: (href: string) => boolean = isSafeHref): Inline[] {
  const parts: Inline[] = [];
  let last = 0;
  const plain = (text: string) => {
    if (text !== '') parts.push({ kind: 'text', text });
  };
  for (const match of line.matchAll(INLINE)) {
    const { strong, code, words, href } = match.groups ?? {};
    plain(line.slice(last, match.index));
    if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (words !== undefined && href !== undefined && isAllowed(href))
      parts.push({ kind: 'link', text: words, href });
    else plain(match[0]);
    last = match.index + match[0].length;
  }
  plain(line.slice(last));
  return parts;
}

/** Returns one line without formatting, for emails and lists. */
export function plainAnnouncement(text: string): string {
  const line = (parts: readonly Inline[]) =>
    parts.map((part) => (part.kind === 'link' ? `${part.text} (${part.href})` : part.text)).join('');
  return parseAnnouncement(text)
    .flatMap((block) => (block.kind === 'list' ? block.items : block.lines))
    .map(line)
    .join(' ');
}
