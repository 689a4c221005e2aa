import { expect, it } from 'vitest';
import { bootQuestions, decisionOf, refusalText } from './bootDecision';

const refused = { is_allowed: false, device_id_allowed: false };

it('distinguishes a refusal from a chain that can’t be read', () => {
  expect(decisionOf({ is_allowed: true, device_id_allowed: true, error: null })).toEqual({
    state: 'allowed',
  });
  expect(decisionOf({ ...refused, error: 'Device not allowed' })).toMatchObject({
    state: 'refused',
    part: 'device',
  });
  expect(decisionOf({ ...refused, device_id_allowed: null, error: 'The RPC isn’t responding.' })).toEqual({
    state: 'unknown',
    reason: 'The RPC isn’t responding.',
  });
});

it('describes the effect on the CVM, depending on the action', () => {
  const hash = { part: 'hash', reason: 'Compose hash not allowed' } as const;
  expect(refusalText(hash, 'start')).toBe('Its compose hash isn’t allowed, so it won’t boot.');
  expect(refusalText(hash, 'restart')).toBe(
    'Its compose hash isn’t allowed, so it won’t restart. If it’s running, it keeps running.',
  );
  expect(refusalText({ part: 'other', reason: 'App not registered' }, 'start')).toBe(
    'The contract says “App not registered”, so it won’t boot.',
  );
});

it('asks about CVMs guarded by a contract, with as few questions as possible', () => {
  const kms = (chain_id: number | null) => ({
    chain_id,
    dstack_kms_address: null,
    dstack_app_address: null,
    deployer_address: null,
    rpc_endpoint: null,
    encrypted_env_pubkey: null,
    k256_pubkey: null,
  });
  const cvm = (id: string, app_id: string, chain_id: number | null) => ({
    id,
    app_id,
    kms_info: kms(chain_id),
  });
  expect(bootQuestions([cvm('a', 'app', null), { id: 'b', app_id: null, kms_info: null }])).toEqual([]);
  expect(bootQuestions([cvm('a', 'app', 8453), cvm('b', 'other', null)])).toEqual([{ cvm: 'a' }]);
  const three = [cvm('a', 'app', 8453), cvm('b', 'app', 8453), cvm('c', 'other', 8453)];
  expect(bootQuestions(three)).toEqual([{ app: 'app' }, { app: 'other' }]);
  const many = Array.from({ length: 50 }, (_, i) => cvm(`cvm-${i}`, `app-${i}`, 8453));
  expect(bootQuestions(many)).toHaveLength(20);
});
