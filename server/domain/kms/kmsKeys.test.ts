import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { judgeContract, type ContractFacts } from './kmsContract';
import { judgeKms, type KmsKept, type KmsSaid } from './kmsKeys';

const KEY = `02${'ab'.repeat(32)}`;
const said: KmsSaid = {
  ca_cert: '',
  k256_pubkey: KEY,
  bootstrap_info: { ca_pubkey: '30'.repeat(40) },
  is_dev: false,
  allow_any_upgrade: false,
  gateway_app_id: null,
  kms_contract_address: null,
  chain_id: null,
};
const kept: KmsKept = {
  k256_pubkey: KEY,
  next_k256_pubkey: null,
  ca_pubkey: '30'.repeat(40),
  chain_id: null,
  kms_contract_address: null,
  gateway_app_id: null,
};
const judge = (a: Partial<KmsSaid>, b: Partial<KmsKept> = {}, local = false) =>
  judgeKms({ ...said, ...a }, { ...kept, ...b }, { local });

describe('judging a KMS', () => {
  it('compares pinned keys in any notation', () => {
    expect(judge({})).toMatchObject({ health: 'ok', notices: [] });
    expect(judge({ k256_pubkey: KEY.toUpperCase() })).toMatchObject({ health: 'ok', seen_k256_pubkey: KEY });
    expect(judge({ k256_pubkey: `03${KEY.slice(2)}` }).health).toBe('alarm');
    expect(judge({ bootstrap_info: { ca_pubkey: '31'.repeat(40) } }).health).toBe('alarm');
    expect(judge({ bootstrap_info: null }).health).toBe('alarm');
    expect(judge({}, { k256_pubkey: null, ca_pubkey: null }).health).toBe('unpinned');
    // If one key is pinned and wrong, another unpinned key does not matter.
    expect(judge({ bootstrap_info: null }, { k256_pubkey: null }).health).toBe('alarm');
  });

  it('accepts either key while two are pinned, and no third one', () => {
    const next_k256_pubkey = `03${KEY.slice(2)}`;
    expect(judge({}, { next_k256_pubkey })).toMatchObject({ health: 'ok' });
    expect(judge({ k256_pubkey: next_k256_pubkey }, { next_k256_pubkey })).toMatchObject({ health: 'ok' });
    const third = judge({ k256_pubkey: `02${'cd'.repeat(32)}` }, { next_k256_pubkey });
    expect(third.health).toBe('alarm');
    expect(third.notices[0]).toContain('differs from both pinned ones');
  });

  it("prefers its certificate's key to the recorded one", () => {
    const options =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -days 1 -subj /CN=test';
    const pem = execFileSync('openssl', options.split(' '), { stdio: 'pipe' }).toString();
    const { seen_ca_pubkey, health } = judge({ ca_cert: pem });
    expect(seen_ca_pubkey).toMatch(/^3059301306072a8648ce3d0201/);
    expect(health).toBe('alarm');
    expect(judge({ ca_cert: pem }, { ca_pubkey: seen_ca_pubkey }).health).toBe('ok');
    expect(judge({ ca_cert: '-----BEGIN CERTIFICATE-----\nnone\n' }).seen_ca_pubkey).toBe(kept.ca_pubkey);
  });

  it('adds other notices for administrators', () => {
    const text = (a: Partial<KmsSaid>, b: Partial<KmsKept> = {}, local = false) =>
      judge(a, b, local).notices.join(' ');
    expect(text({ is_dev: true })).toContain('development mode');
    expect(text({ is_dev: true }, {}, true)).toContain('no hardware protects');
    expect(text({ gateway_app_id: 'any' })).toContain('any gateway');
    const gateway_app_id = 'ab'.repeat(20);
    expect(text({ gateway_app_id: 'any' }, { gateway_app_id })).toContain(
      `It reports any as its gateway app; this server has ${gateway_app_id}.`,
    );
    expect(text({ gateway_app_id: `0x${gateway_app_id.toUpperCase()}` }, { gateway_app_id })).toBe('');
    expect(text({ gateway_app_id: null }, { gateway_app_id })).toBe('');
    expect(text({ allow_any_upgrade: true })).toContain('any Compose file: no contract is checked');
    expect(text({ allow_any_upgrade: true, kms_contract_address: '0xAA' })).toContain(
      'any Compose file, whatever their contracts say',
    );
    expect(text({ kms_contract_address: '0xAA' }, { kms_contract_address: '0xaa' })).toBe('');
    expect(text({ kms_contract_address: '0xAA' })).toContain('registered here without a contract');
    expect(text({ kms_contract_address: '0x00' })).toBe('');
    expect(text({ chain_id: 1 }, { chain_id: 8453, kms_contract_address: '0xbb' })).toMatch(
      /no contract as its contract; this server has 0xbb.*1 as its chain; this server has 8453/,
    );
  });
});

describe('judging a KMS contract', () => {
  const facts: ContractFacts = {
    code_present: true,
    owner: `0x${'1'.repeat(40)}`,
    pending_owner: `0x${'0'.repeat(40)}`,
    app_implementation: `0x${'2'.repeat(40)}`,
    gateway_app_id: 'ab',
    k256_pubkey: KEY,
    ca_pubkey: null,
    os_images: [],
    devices: [],
    aggregated_mrs: [],
    app_count: 0,
    complete: true,
  };
  const pinned = { k256_pubkey: KEY, next_k256_pubkey: null, ca_pubkey: 'aa' };

  it('checks its code and the keys that both sides name', () => {
    expect(judgeContract(facts, pinned)).toEqual({ health: 'ok', notices: [], keys_match: true });
    expect(judgeContract({ ...facts, ca_pubkey: 'bb' }, pinned)).toMatchObject({
      health: 'alarm',
      keys_match: false,
    });
    expect(judgeContract(facts, null)).toMatchObject({ health: 'ok', keys_match: null });
    const replaced = { ...pinned, k256_pubkey: `03${KEY.slice(2)}` };
    expect(judgeContract(facts, replaced)).toMatchObject({ health: 'alarm', keys_match: false });
    expect(judgeContract(facts, { ...replaced, next_k256_pubkey: KEY })).toMatchObject({ keys_match: true });
    expect(judgeContract({ ...facts, code_present: false }, pinned)).toMatchObject({ health: 'alarm' });
  });

  it.each([
    [{ gateway_app_id: 'any' }, 'trust any gateway'],
    [{ app_implementation: `0x${'0'.repeat(40)}` }, 'No app implementation'],
    [{ owner: `0x${'0'.repeat(40)}` }, 'no longer has an owner'],
    [{ pending_owner: `0x${'3'.repeat(40)}` }, 'is offered to 0x3'],
    [{ complete: false }, 'may allow more'],
  ])('adds a notice for %j', (change, notice) => {
    const { notices, health } = judgeContract({ ...facts, ...change }, pinned);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(notice);
    expect(health).toBe('ok');
  });
});
