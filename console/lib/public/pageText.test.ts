import { describe, expect, it } from 'vitest';
import { cutText, isPageHref, pageSummary, parsePage, type PageBlock } from './pageText';

const plain = (block: PageBlock): string[] => {
  const rows =
    block.kind === 'heading' ? [block.parts] : block.kind === 'paragraph' ? block.lines : block.items;
  return rows.map((parts) => parts.map(({ text }) => text).join(''));
};
const links = (source: string) =>
  parsePage(source)
    .blocks.flatMap((block) =>
      block.kind === 'heading' ? [block.parts] : block.kind === 'paragraph' ? block.lines : block.items,
    )
    .flat()
    .filter((part) => part.kind === 'link');

describe('a page in Markdown', () => {
  it('starts with its title, and supports headings, paragraphs and lists', () => {
    const { title, blocks } = parsePage(`# Terms of service

We offer this service
**as it is**.

## Scope
- one item
  that continues
- another

- after a blank line

3. third
4) fourth

---
### Small print

Acme Ltd.  
1 Main Street\\
Springfield
`);
    expect(title).toBe('Terms of service');
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'paragraph',
      'heading',
      'list',
      'list',
      'heading',
      'paragraph',
    ]);
    expect(blocks.map(plain)).toEqual([
      ['We offer this service as it is.'],
      ['Scope'],
      ['one item that continues', 'another', 'after a blank line'],
      ['third', 'fourth'],
      ['Small print'],
      ['Acme Ltd.', '1 Main Street', 'Springfield'],
    ]);
    expect(blocks[2]).toMatchObject({ start: null });
    expect(blocks[3]).toMatchObject({ start: 3 });
    expect([blocks[1], blocks[4]]).toMatchObject([{ level: 2 }, { level: 3 }]);
  });

  it('never skips a heading level or has a second title', () => {
    const { title, blocks } = parsePage('# One\n\n#### Deep\n\n# Two\n');
    expect(title).toBe('One');
    expect(blocks).toMatchObject([{ level: 2 }, { level: 2 }]);
    expect(parsePage('Words first\n\n# Not a title\n').title).toBe('');
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JavaScript:alert`1`)',
    '[x](data:text/html,1)',
    '[x](//evil.test)',
    '[x](/\\evil.test)',
    '[x](vbscript:1)',
    '[x](mailto:a@b.test?bcc=c@d.test)',
    '<a href="javascript:alert(1)">x</a>',
    '![x](https://evil.test/pixel.png',
  ])('leaves %s as text', (source) => {
    expect(links(source)).toEqual([]);
    expect(parsePage(source).blocks.flatMap(plain)).toEqual([source]);
  });

  it('links to the web, this server, mail addresses and telephones', () => {
    const hrefs = ['https://a.test/b', '/about', 'mailto:help@a.test', 'tel:+1-555-0100'];
    expect(hrefs.every(isPageHref)).toBe(true);
    expect(
      links(hrefs.map((href) => `[x](${href})`).join('\n\n')).map((part) => 'href' in part && part.href),
    ).toEqual(hrefs);
  });

  it.each(['[', '**', '`', '[a](', '- ', '# ', ' ', '\\', '*', '_a'])(
    'is read in time that grows with its length, however often it has %j',
    (part) => {
      // Quadratic parsing would take minutes.
      const { blocks } = parsePage(`# T\n\na${part.repeat(1_000_000 / part.length)}b\n`);
      expect(blocks.length).toBeGreaterThan(0);
    },
  );

  it('is summarized by its first paragraph, truncated at a word', () => {
    const { blocks } = parsePage('# T\n\n## Scope\n\nThese **terms** hold for [everyone](/x).\n\nMore.\n');
    expect(pageSummary(blocks, 160)).toBe('These terms hold for everyone.');
    expect(pageSummary(blocks, 20)).toBe('These terms hold…');
    expect(pageSummary([], 20)).toBe('');
    expect(cutText('x'.repeat(30), 20)).toBe(`${'x'.repeat(19)}…`);
  });

  it('is never truncated inside a character', () => {
    expect(cutText('🚀'.repeat(10), 10)).toBe('🚀🚀🚀🚀…');
  });
});
