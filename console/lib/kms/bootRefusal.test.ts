import { expect, it } from 'vitest';
import { gotNoKeys, keyRefusal, refusedPart } from './bootRefusal';

it.each([
  ['the KMS contract refused the app keys: Compose hash not allowed', 'Compose hash not allowed'],
  [
    'failed to get app keys\n\nCaused by:\n    0: App not allowed\n    1: Boot denied: Device not allowed\n',
    'Device not allowed',
  ],
  ['{"error":"Boot denied: OS image is not allowed"}', 'OS image is not allowed'],
])('finds the contract’s reason in a boot error', (boot_error, reason) => {
  expect(keyRefusal(boot_error)).toBe(reason);
});

it.each([
  'failed to start containers: pull access denied for nothere',
  "the KMS contract 0x5f on chain 1 can't be read, so the app gets no keys",
  'Boot denied: ',
])('finds no reason in other boot errors: %s', (boot_error) => {
  expect(keyRefusal(boot_error)).toBeNull();
});

it('distinguishes what the owner can allow from what they can’t', () => {
  expect(refusedPart('Compose hash not allowed')).toBe('hash');
  expect(refusedPart('Device not allowed')).toBe('device');
  for (const reason of ['OS image is not allowed', 'App not registered', 'TCB status is not up to date', ''])
    expect(refusedPart(reason)).toBe('other');
});

it.each([
  ["the KMS contract 0x5f on chain 1 can't be read, so the app gets no keys", true],
  [
    'failed to get app keys\n\nCaused by:\n    0: error sending request for url (https://kms.example.com/)',
    true,
  ],
  ['failed to start containers: pull access denied for nothere', false],
])('distinguishes a boot without keys from other failures: %s', (boot_error, expected) => {
  expect(gotNoKeys(boot_error)).toBe(expected);
});
