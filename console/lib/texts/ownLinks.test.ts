import { expect, it } from 'vitest';
import { ownLinks } from './ownLinks';

const HERE = 'https://cloud.example.test';
const linksIn = (text: string) => ownLinks(text, HERE).flatMap(({ href }) => href ?? []);

it.each([
  `Open this:\n\n${HERE}/reset-password/abc\n\nIt expires.`,
  `(${HERE}/a?b=c.) and ${HERE}/d`,
  'No link',
  '',
  `  ${HERE}/  `,
])('keeps the whole text of %j', (text) =>
  expect(
    ownLinks(text, `${HERE}/`)
      .map((part) => part.text)
      .join(''),
  ).toBe(text),
);

it('links addresses on this server, without the punctuation of the sentence', () => {
  expect(linksIn(`Open this:\n\n${HERE}/reset-password/abc\n\nIt expires.`)).toEqual([
    `${HERE}/reset-password/abc`,
  ]);
  expect(linksIn(`(${HERE}/a?b=c.) and <${HERE}/d>, or ${HERE}/.`)).toEqual([
    `${HERE}/a?b=c`,
    `${HERE}/d`,
    `${HERE}/`,
  ]);
});

it('links nothing else', () => {
  expect(linksIn(`https://evil.test/ ${HERE}.evil.test/a ${HERE}@evil.test/ javascript:alert(1)`)).toEqual(
    [],
  );
});
