import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SITE } from '../../../console/lib/public/siteContent';
import { siteIn } from './index';

let root: string;
let folder: string;
let warnings: { file: string; reason: string }[];
const log = { warn: (fields: object) => void warnings.push(fields as (typeof warnings)[number]) };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'teehouse-site-'));
  folder = join(root, 'site');
  mkdirSync(folder);
  warnings = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
const read = () => siteIn(folder, 'eliza', log);
/** Each warning as “file: reason”. */
const warned = () => warnings.map(({ file, reason }) => `${file.slice(folder.length + 1)}: ${reason}`);
const PAGE = '# Terms of service\n\nBe kind.\n';

describe('site.yaml', () => {
  it('sets the brand, texts, links and hidden pages', () => {
    put(
      'site.yaml',
      `brand: Acme Cloud
tagline: Acme Cloud, from Springfield.
support: help@acme.test
links:
  - { text: Status, href: https://status.acme.test }
hide: [/gpu-tee, /eliza, /gpu-tee]
texts:
  /: { title: Private by default, lead: Run it with us. }
  /cases: { title: What others build }
`,
    );
    expect(read()).toEqual({
      brand: 'Acme Cloud',
      tagline: 'Acme Cloud, from Springfield.',
      support: 'mailto:help@acme.test',
      links: [{ text: 'Status', href: 'https://status.acme.test' }],
      hidden: ['/gpu-tee', '/eliza'],
      texts: {
        '/': { title: 'Private by default', lead: 'Run it with us.' },
        '/cases': { title: 'What others build' },
      },
      pages: [],
    });
    expect(warnings).toEqual([]);
  });

  it('keeps the default of each missing key', () => {
    for (const text of ['', '# only a comment\n', '{}']) {
      put('site.yaml', text);
      expect(read()).toEqual(DEFAULT_SITE);
    }
    put('site.yaml', 'brand: Acme');
    expect(read().tagline).toBe('Acme runs Docker Compose apps in confidential VMs.');
    put('site.yaml', 'support: https://acme.test/help');
    expect(read()).toMatchObject({ brand: 'Teehouse', support: 'https://acme.test/help' });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['brand: [', /./],
    ['- brand', /file: .*expected object/i],
    ['brnad: Acme', /brnad/],
    ['brand: ""', /brand/],
    [`brand: ${'x'.repeat(41)}`, /brand/],
    ['brand: "a\\nb"', /brand: must be one line/],
    ['brand: "a\\u202eb"', /brand: must be one line/],
    ['support: nobody', /support: must be an email address/],
    ['support: http://acme.test', /support/],
    ['support: javascript://x', /support/],
    ['support: a@b.test?cc=c@d.test', /support/],
    ['links: [{ text: x, href: "javascript:alert(1)" }]', /links\.0\.href: must start with/],
    ['links: [{ text: x, href: //evil.test }]', /links\.0\.href/],
    [`links: [${'{ text: x, href: /x },'.repeat(13)}]`, /links/],
    ['hide: [/]', /hide\.0: must be one of \/about,/],
    ['hide: [/login]', /hide\.0/],
    ['texts: { /login: { title: x } }', /texts\.\/login: must be one of/],
    ['texts: { /: { text: x } }', /texts\.\/: .*text/],
    ['a: &a [x]\nbrand: *a', /./],
  ])('with %j is skipped with its reason', (text, reason) => {
    put('site.yaml', text);
    put('terms.md', PAGE);
    const { pages, ...settings } = read();
    expect({ ...settings, pages: [] }).toEqual(DEFAULT_SITE);
    expect(pages).toHaveLength(1);
    expect(warned()).toEqual([expect.stringMatching(/^site\.yaml: /)]);
    expect(warnings[0]?.reason).toMatch(reason);
  });
});

describe('pages', () => {
  it('come with their title and date, the legal ones first', () => {
    for (const name of ['zebra.md', 'imprint.md', 'careers.md', 'privacy.md'])
      put(name, `# ${name}\n\nText.\n`);
    put('terms.md', PAGE);
    utimesSync(join(folder, 'terms.md'), 1_700_000_000, 1_700_000_000);
    const { pages } = read();
    expect(pages.map(({ slug }) => slug)).toEqual(['terms', 'privacy', 'imprint', 'careers', 'zebra']);
    expect(pages[0]).toMatchObject({
      title: 'Terms of service',
      description: 'Be kind.',
      changed_at: '2023-11-14T22:13:20.000Z',
    });
    expect(warnings).toEqual([]);
  });

  it('are skipped individually, each with its reason', () => {
    put('good.md', PAGE);
    put('large.md', Buffer.alloc(10 * 1024 * 1024, 'x'));
    put('Upper.md', PAGE);
    put('shout.MD', PAGE);
    put('two--dashes.md', PAGE);
    put('untitled.md', 'Be kind.\n');
    put('empty.md', '# Title\n');
    put('binary.md', Buffer.from([0x23, 0x20, 0xff, 0xfe]));
    put('control.md', '# Title\n\nA\u0000B\n');
    put('wide.md', `# ${'x'.repeat(61)}\n\nText.\n`);
    put('site.yml', 'brand: Acme');
    put('notes.txt', 'not a page');
    mkdirSync(join(folder, 'folder.md'));
    writeFileSync(join(root, 'secret'), PAGE);
    symlinkSync(join(root, 'secret'), join(folder, 'outside.md'));
    symlinkSync('/nowhere', join(folder, 'broken.md'));
    expect(read().pages.map(({ slug }) => slug)).toEqual(['good']);
    const name = 'name the file with up to 40 lowercase letters, digits and single dashes';
    const found = warned();
    for (const one of [
      'site.yml: rename it to site.yaml',
      'large.md: larger than 65536 bytes',
      `Upper.md: ${name}`,
      `shout.MD: ${name}`,
      `two--dashes.md: ${name}`,
      'untitled.md: must start with a title, such as “# Terms of service”',
      'empty.md: contains only a title',
      'binary.md: not UTF-8',
      'control.md: contains control characters',
      'wide.md: the title is longer than 60 characters',
      'folder.md: not a file',
      'outside.md: a symbolic link out of the folder',
    ])
      expect(found).toContain(one);
    expect(found).toContainEqual(expect.stringMatching(/^broken\.md: ENOENT/));
    expect(found).toHaveLength(13);
  });

  it('are at most 30', () => {
    for (let i = 10; i < 45; i++) put(`page-${i}.md`, PAGE);
    expect(read().pages).toHaveLength(30);
    expect(warned()).toEqual(['page-40.md: more than 30 pages']);
  });

  it('may be links within the folder, as containers mount them', () => {
    mkdirSync(join(folder, '..data'));
    put('..data/terms.md', PAGE);
    symlinkSync('..data/terms.md', join(folder, 'terms.md'));
    expect(read().pages.map(({ slug }) => slug)).toEqual(['terms']);
    expect(warnings).toEqual([]);
  });
});

it('without a folder, or with a file in its place, everything is the default', () => {
  expect(read()).toEqual(DEFAULT_SITE);
  rmSync(folder, { recursive: true });
  expect(read()).toEqual(DEFAULT_SITE);
  expect(warnings).toEqual([]);
  writeFileSync(folder, 'a file');
  expect(read()).toEqual(DEFAULT_SITE);
  expect(warnings).toHaveLength(1);
});
