import { expect, it } from 'vitest';
import { isGuarded, outlookOf, refusalText } from './bootOutlook';

const refused = { is_allowed: false, device_id_allowed: false };

it('tells a refusal from a chain that can’t be read', () => {
  expect(outlookOf({ is_allowed: true, device_id_allowed: true, error: null })).toEqual({ state: 'allowed' });
  expect(outlookOf({ ...refused, error: 'Device not allowed' })).toMatchObject({
    state: 'refused',
    part: 'device',
  });
  expect(outlookOf({ ...refused, device_id_allowed: null, error: 'The RPC isn’t responding.' })).toEqual({
    state: 'unknown',
    reason: 'The RPC isn’t responding.',
  });
});

it('says what happens to the CVM, by what is done to it', () => {
  const hash = { part: 'hash', reason: 'Compose hash not allowed' } as const;
  expect(refusalText(hash, 'start')).toBe('Its compose hash isn’t allowed, so it won’t boot.');
  expect(refusalText(hash, 'restart')).toBe(
    'Its compose hash isn’t allowed, so it stops and won’t boot again.',
  );
  expect(refusalText({ part: 'other', reason: 'App not registered' }, 'start')).toBe(
    'The contract says “App not registered”, so it won’t boot.',
  );
});

it('asks no chain about a CVM without a contract', () => {
  expect(isGuarded({ kms_info: null })).toBe(false);
});
