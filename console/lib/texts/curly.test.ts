import { expect, it } from 'vitest';
import { curly } from './curly';

it('converts apostrophes, but no quotes', () => {
  expect(curly("The host doesn't list this CVM's VM.")).toBe('The host doesn’t list this CVM’s VM.');
  expect(curly("the other CVMs' teams")).toBe('the other CVMs’ teams');
  expect(curly("the key 'kms' of 'web'")).toBe("the key 'kms' of 'web'");
  expect(curly("sh -c 'true' and '5'")).toBe("sh -c 'true' and '5'");
});

it('leaves user-chosen names unchanged', () => {
  expect(curly("“Bob's app” isn't running.")).toBe("“Bob's app” isn’t running.");
  expect(curly("“Bob's app” and “Eve's” don't answer.")).toBe("“Bob's app” and “Eve's” don’t answer.");
});
