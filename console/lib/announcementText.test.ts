import { describe, expect, it } from 'vitest';
import { isSafeHref, parseAnnouncement, plainAnnouncement } from './announcementText';

describe('the text of an announcement', () => {
  it('supports paragraphs, lists, bold, code and links', () => {
    expect(parseAnnouncement('Hello **all**,\nsee `x`.\n\n- one\n- [two](https://a.test/b)')).toEqual([
      {
        kind: 'paragraph',
        lines: [
          [
            { kind: 'text', text: 'Hello ' },
            { kind: 'strong', text: 'all' },
            { kind: 'text', text: ',' },
          ],
          [
            { kind: 'text', text: 'see ' },
            { kind: 'code', text: 'x' },
            { kind: 'text', text: '.' },
          ],
        ],
      },
      {
        kind: 'list',
        items: [[{ kind: 'text', text: 'one' }], [{ kind: 'link', text: 'two', href: 'https://a.test/b' }]],
      },
    ]);
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](//evil.test)',
    '[x](data:text/html,1)',
    '[x](/\\evil.test)',
    '<script>alert(1)</script>',
    '** not strong **\n* * *',
  ])('leaves %s as text', (text) => {
    const kinds = parseAnnouncement(text).flatMap((block) =>
      (block.kind === 'list' ? block.items : block.lines).flatMap((parts) => parts.map(({ kind }) => kind)),
    );
    expect(kinds).not.toContain('link');
  });

  it('links only to the web or this server', () => {
    expect(['https://a.test', 'http://a.test/x?y=1', '/account/settings'].every(isSafeHref)).toBe(true);
    expect(['javascript:1', '//a.test', 'ftp://a.test', 'a.test', ''].some(isSafeHref)).toBe(false);
  });

  it('is one line in emails', () => {
    expect(plainAnnouncement('Hosts **restart**.\n\n- see [status](https://s.test)')).toBe(
      'Hosts restart. see status (https://s.test)',
    );
  });
});
