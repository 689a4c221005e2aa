import { expect, it } from 'vitest';
import { curly } from './curly';

it('changes apostrophes, and no quotes', () => {
  expect(curly("The host doesn't list this CVM's VM.")).toBe('The host doesn’t list this CVM’s VM.');
  expect(curly("sh -c 'true' and '5'")).toBe("sh -c 'true' and '5'");
});
