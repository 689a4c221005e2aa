import { expect, it } from 'vitest';
import { cvmEtag } from '../cvms/cvmVersion';
import { defineVersion, entityTags } from './version';

interface Row {
  name: string;
  secret: string;
  added?: string;
}

const fields = [
  { field: 'name', value: (row: Row) => row.name },
  { field: 'secret', value: (row: Row) => row.secret, report: () => 'replaced' },
] as const;
const version = defineVersion<Row>('x1', fields);
const row: Row = { name: 'one', secret: 'hush' };
const etag = version.etag(row, 'rest');

it('names the fields changed since a tag, with their value or its placeholder', () => {
  expect(version.changedSince(row, etag)).toEqual([]);
  expect(version.changedSince({ name: 'two', secret: 'louder' }, etag)).toEqual([
    { field: 'name', value: 'two' },
    { field: 'secret', value: 'replaced' },
  ]);
});

it('differs when anything shown differs, and still matches when no edited field does', () => {
  const later = version.etag(row, 'another status');
  expect(later).not.toBe(etag);
  expect(version.changedSince(row, later)).toEqual([]);
});

it('accepts * and lists, and compares a list by its closest tag', () => {
  const old = version.etag({ name: 'old', secret: 'old' }, '');
  expect(version.changedSince(row, ' * ')).toEqual([]);
  expect(version.changedSince(row, `${old}, "other, tag" ,${etag}`)).toEqual([]);
  expect(version.changedSince({ ...row, name: 'two' }, `${old},${etag}`)).toHaveLength(1);
});

it.each([
  ['weak', `W/${etag}`],
  ['malformed', etag.slice(1)],
  ['with text between tags', `${etag} x, ${etag}`],
  ['empty', ''],
  ['of another kind', etag.replace('x1', 'y1')],
  ['cut short', etag.replace(/.\./, '.')],
  ['* among others', `*, ${etag}`],
])('matches no tag that is %s', (_, header) => {
  expect(version.changedSince(row, header)).toBeNull();
});

it('reads tags issued before a field was added', () => {
  const wider = defineVersion<Row>('x1', [...fields, { field: 'added', value: ({ added }) => added }]);
  expect(wider.changedSince({ ...row, added: 'new' }, etag)).toEqual([]);
});

it('reads the longest accepted header in linear time', () => {
  for (const part of ['"a",', ' ', ',', '"', 'W/"', `${etag},`])
    expect(entityTags(part.repeat(16_384 / part.length))).not.toBeUndefined();
});

it('fits the header’s limit for a CVM', () => {
  const cvm = {
    cvm: { updated_at: new Date(8_640_000_000_000_000) },
    revision: {},
  } as unknown as Parameters<typeof cvmEtag>[0];
  expect(cvmEtag(cvm).length).toBeLessThan(200);
});
