import { expect, it } from 'vitest';
import { modelPlace } from './modelPlace';

it('says that a model runs on this server only for the built-in one', () => {
  const word = (is_in_tee: boolean, is_built_in: boolean) => modelPlace({ is_in_tee, is_built_in }).word;
  expect(word(false, true)).toBe('This server, no TEE');
  expect(word(false, false)).toBe('A model server, no verified TEE');
  expect(word(true, false)).toBe('A TEE');
});
