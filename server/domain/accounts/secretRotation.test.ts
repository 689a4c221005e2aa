import { expect, it } from 'vitest';
import { createSeal } from '../core/seal';
import { knownDevice, rememberDevice } from './knownDevice';
import { hashRecoveryCode, recoveryCodeHashes, recoveryCodeSecret } from './recoveryCode';
import { namedWallet, walletMessage } from './walletMessage';

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

it('a message for a wallet is accepted by every process that accepts its secret', () => {
  const account = { public_url: 'https://console.example.com', user_public_id: 'usr_1' };
  const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
  const now = new Date();
  const restarting = createSeal(old!, fresh);
  const isAccepted = (by: typeof before, made: typeof before) => {
    const { message } = walletMessage(made, { ...account, address, chain_id: 1, issued_at: now });
    return 'address' in namedWallet(by, account, message, now);
  };
  expect([isAccepted(during, restarting), isAccepted(restarting, during)]).toEqual([true, true]);
  expect([isAccepted(before, restarting), isAccepted(after, during)]).toEqual([true, true]);
  expect([isAccepted(after, before), isAccepted(before, after)]).toEqual([false, false]);
});
