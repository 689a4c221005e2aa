import { describe, expect, it } from 'vitest';
import { createSeal } from './seal';

const [old, fresh, other] = ['old', 'new', 'other'].map((name) => Buffer.from(name.padEnd(32, '.')));
const before = createSeal(old!);
const during = createSeal(fresh!, old);
const after = createSeal(fresh!);

describe('a seal whose secret is being replaced', () => {
  it('opens what either secret sealed, and seals with the first', () => {
    expect(during.open('mail', before.seal('mail', 'Hello'))).toBe('Hello');
    expect(after.open('mail', during.seal('mail', 'Hello'))).toBe('Hello');
    expect(() => before.open('mail', during.seal('mail', 'Hello'))).toThrow();
  });

  it('reseals values of the second secret, and only those', () => {
    const sealed = before.seal('totp', 'JBSWY3DP');
    const again = during.renew('totp', sealed);
    expect(after.open('totp', again ?? '')).toBe('JBSWY3DP');
    expect(during.renew('totp', again ?? '')).toBeNull();
  });

  it('accepts signatures of both secrets, and signs with the first', () => {
    expect(during.verify('mail', 'x', before.sign('mail', 'x'))).toBe(true);
    expect(after.verify('mail', 'x', during.sign('mail', 'x'))).toBe(true);
    expect(after.verify('mail', 'x', before.sign('mail', 'x'))).toBe(false);
    expect(during.accepted('mail', 'x')).toEqual([after.sign('mail', 'x'), before.sign('mail', 'x')]);
  });

  it('refuses a third secret, another purpose and altered values', () => {
    const stranger = createSeal(other!);
    expect(() => during.open('mail', stranger.seal('mail', 'x'))).toThrow();
    expect(during.verify('mail', 'x', stranger.sign('mail', 'x'))).toBe(false);
    expect(() => during.open('totp', before.seal('mail', 'x'))).toThrow();
    const sealed = before.seal('mail', 'x');
    const altered = sealed.replace(/(?<=^v1\.)./, (first) => (first === 'A' ? 'B' : 'A'));
    expect(() => during.open('mail', altered)).toThrow();
    expect(() => during.renew('mail', 'v2.AAAA')).toThrow('not a sealed value');
  });
});
