import { expect, it } from 'vitest';
import { namedRecordHref } from './namedRecord';

const field = { record: { resource: 'target_resource', id: 'target_record_id' } };
const entry = { id: 1, target: 'local-teepod', target_resource: 'teepods', target_record_id: '1' };

it('leads to the record that a text names, if the user may open it', () => {
  expect(namedRecordHref(field, entry, () => true)).toBe('/admin/infra/teepods/1');
  expect(namedRecordHref(field, entry, () => false)).toBeUndefined();
  expect(namedRecordHref({}, entry, () => true)).toBeUndefined();
});

it('leads nowhere without a record or its page', () => {
  const without = { ...entry, target_resource: null, target_record_id: null };
  expect(namedRecordHref(field, without, () => true)).toBeUndefined();
  expect(namedRecordHref(field, { ...entry, target_resource: 'constructor' }, () => true)).toBeUndefined();
});
