import { expect, it } from 'vitest';
import { namedItemHref, namedRecordHref } from './namedRecord';
import { getResource } from './resources';

const field = { record: { resource: 'target_resource', id: 'target_record_id' } };
const entry = { id: 1, target: 'local-teepod', target_resource: 'teepods', target_record_id: '1' };

it('links to the record named by a text, if the user may open it', () => {
  expect(namedRecordHref(field, entry, () => true)).toBe('/admin/infra/teepods/1');
  expect(namedRecordHref(field, entry, () => false)).toBeUndefined();
  expect(namedRecordHref({}, entry, () => true)).toBeUndefined();
});

it('has no link without a record or its page', () => {
  const without = { ...entry, target_resource: null, target_record_id: null };
  expect(namedRecordHref(field, without, () => true)).toBeUndefined();
  expect(namedRecordHref(field, { ...entry, target_resource: 'constructor' }, () => true)).toBeUndefined();
});

it('links a name in a list to the records with that name, if the user may list them', () => {
  const images = getResource('teepods').fields.find(({ name }) => name === 'os_images');
  expect(namedItemHref(images ?? {}, 'dstack-0.6.0', () => true)).toBe(
    `/admin/infra/os-images?filter=${encodeURIComponent('{"name":"dstack-0.6.0"}')}`,
  );
  expect(namedItemHref(images ?? {}, 'dstack-0.6.0', () => false)).toBeUndefined();
  expect(namedItemHref({}, 'dstack-0.6.0', () => true)).toBeUndefined();
});

it('links the source of a transaction', () => {
  const source = getResource('transactions').fields.find(({ name }) => name === 'source_id');
  const record = { id: 1, source_id: 'cre_1', source_resource: 'credits', source_record_id: '7' };
  expect(namedRecordHref(source ?? {}, record, () => true)).toBe('/admin/credits/7');
});
