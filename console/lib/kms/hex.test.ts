import { expect, it } from 'vitest';
import { bytes32 } from './hex';

it('converts short, mixed-case and prefixed values to a contract’s form', () => {
  const whole = `0x${'ab'.repeat(32)}`;
  for (const text of [
    'ab'.repeat(32),
    `0x${'AB'.repeat(32)}`,
    `0X${'aB'.repeat(32)}`,
    `sha256:${'ab'.repeat(32)}`,
  ])
    expect(bytes32(text)).toBe(whole);
  expect(bytes32('0xD1')).toBe(`0xd1${'0'.repeat(62)}`);
  for (const text of ['', '0x', 'xyz', 'ab'.repeat(33)]) expect(bytes32(text)).toBeNull();
});
