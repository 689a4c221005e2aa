import { expect, it } from 'vitest';
import { getResource } from '../schema/resources';
import { arrange } from './fieldLayout';

it('says beside the values when they were read, and other times in the aside', () => {
  const { details, aside } = arrange(getResource('kms-contracts'));
  const names = (fields: typeof details) => fields.map(({ name }) => name);
  expect(names(details)).toContain('read_at');
  expect(names(aside)).toEqual(expect.arrayContaining(['id', 'block_at', 'created_at']));
  expect(names(aside)).not.toContain('read_at');
});
