import { expect, it } from 'vitest';
import { createSeal } from '../core/seal';
import { knownDevice, rememberDevice } from './knownDevice';
import { hashRecoveryCode, recoveryCodeHashes, recoveryCodeSecret } from './recoveryCode';

const [old, fresh] = ['old', 'new'].map((name) => Buffer.from(name.padEnd(32, '.')));
const before = createSeal(old!);
const during = createSeal(fresh!, old);
const after = createSeal(fresh!);

const cookieOf = (header: string) => header.slice(header.indexOf('=') + 1, header.indexOf(';'));

it('recovery codes of the old secret count until it is removed', () => {
  const stored = hashRecoveryCode(before, 'usr_1', 'AAAA-BBBB-CCCC');
  const matches = (seal: typeof before) =>
    recoveryCodeHashes(seal, 'usr_1', 'AAAA-BBBB-CCCC').some((hash) => hash.equals(stored));
  expect([matches(before), matches(during), matches(after)]).toEqual([true, true, false]);
  expect(recoveryCodeSecret(during)).toBe(recoveryCodeSecret(after));
  expect(recoveryCodeSecret(during)).not.toBe(recoveryCodeSecret(before));
});

it('a device that signs in during the rotation stays known', () => {
  const url = 'http://localhost';
  const held = cookieOf(rememberDevice(before, url, null, 'usr_1'));
  const key = knownDevice(before, held, 'usr_1');
  expect(knownDevice(during, held, 'usr_1')).toBe(key);
  const renewed = cookieOf(rememberDevice(during, url, held, 'usr_1'));
  expect(knownDevice(after, renewed, 'usr_1')).toBe(key);
  expect(renewed).toHaveLength(held.length);
});
