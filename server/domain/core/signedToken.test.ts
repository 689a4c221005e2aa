import { expect, it } from 'vitest';
import { createSeal } from './seal';
import { readSignedToken, signedToken } from './signedToken';

const seal = createSeal(Buffer.alloc(32, 7));

it('reads its own tokens, whatever the signature contains', () => {
  // Some signatures contain the separator.
  for (let n = 0; n < 200; n++) {
    const token = signedToken(seal, 'app_watch', `wat_${n}`, '-');
    expect(readSignedToken(seal, 'app_watch', token, '-')).toBe(`wat_${n}`);
  }
});

it('refuses other texts, purposes and separators', () => {
  const token = signedToken(seal, 'unsubscribe', 'usr_1.kind', '.');
  expect(readSignedToken(seal, 'unsubscribe', token, '.')).toBe('usr_1.kind');
  for (const [purpose, other, separator] of [
    ['app_watch', token, '.'],
    ['unsubscribe', token, '-'],
    ['unsubscribe', token.replace('usr_1', 'usr_2'), '.'],
    ['unsubscribe', `${token}A`, '.'],
    ['unsubscribe', token.slice(0, -1), '.'],
    ['unsubscribe', '', '.'],
  ] as const)
    expect(readSignedToken(seal, purpose, other, separator)).toBeNull();
});
