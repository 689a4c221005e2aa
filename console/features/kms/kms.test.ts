import { describe, expect, it } from 'vitest';
import type { CvmEvidence, EvidenceKms } from '../../../generated/api/types.gen';
import type { Report, ReportState } from '../../lib/attestation/types';
import { signEnvKey } from '../../lib/secrets/kmsKey';
import type { KmsPin } from '../../lib/secrets/kmsPins';
import { envKeyFinding, providerFinding } from './findings';
import { gatewayPin, readersOf } from './readers';
import { judgeEnvKey } from './useEnvKey';

const ROOT = {
  secret: '1dfe1b4c72a28b9c8353f9280bcf5c1b4a287790e888c193aa37852d3eff7810',
  key: '02a771f773b0d2df8bc892e87134685b084dc620c0306af27936c4e9d1aa9d8538',
};
const app_id = '00112233445566778899aabbccddeeff00112233';
const public_key = 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f';
const signature = signEnvKey({ public_key, app_id }, ROOT.secret);
const judge = (change: Partial<Parameters<typeof judgeEnvKey>[0]> = {}) =>
  judgeEnvKey({ public_key, signature, app_id, pinned_k256_pubkey: [ROOT.key], ...change });

describe('the environment key', () => {
  it('passes when the pinned root signed it for this app', () => {
    expect(judge()).toEqual({ good: true, signer: ROOT.key, pinned: false });
    expect(envKeyFinding({ public_key, verdict: judge() }, null).tone).toBe('ok');
  });
  it.each<[string, Partial<Parameters<typeof judgeEnvKey>[0]>]>([
    ['of another app', { app_id: 'f'.repeat(40) }],
    ['that was swapped', { public_key: '00'.repeat(32) }],
    ['signed by another root', { signature: signEnvKey({ public_key, app_id }, '11'.repeat(32)) }],
    ['with half a signature', { signature: '00' }],
    ['without a root on record', { pinned_k256_pubkey: [] }],
  ])('rejects one %s', (_, change) => {
    const verdict = judge(change);
    expect(verdict.good).toBe(false);
    expect(envKeyFinding({ public_key, verdict }, null)).toMatchObject({ tone: 'error' });
  });
  it('must be signed by a key pinned in this browser, once one is pinned', () => {
    const pin = (key: string): KmsPin => ({ kind: 'env', key, label: '', pinned_at: '' });
    const key = { public_key, signature, app_id, pinned_k256_pubkey: [ROOT.key] };
    const other = '0217610d74cbd39b6143842c6d8bc310d79da1d82cc9d17f8876376221eda0c38f';
    const pinned = judgeEnvKey(key, [pin(other), pin(ROOT.key)]);
    expect(envKeyFinding({ public_key, verdict: pinned }, null).word).toBe('Signed by a root key you pinned');
    for (const pins of [[pin(other)], null]) {
      const verdict = judgeEnvKey(key, pins);
      expect(envKeyFinding({ public_key, verdict }, null).tone).toBe('error');
    }
  });
  it('may be signed by either root while one replaces the other, and warns of one that isn’t pinned here', () => {
    const pin = (key: string): KmsPin => ({ kind: 'env', key, label: '', pinned_at: '' });
    const old = '0217610d74cbd39b6143842c6d8bc310d79da1d82cc9d17f8876376221eda0c38f';
    const pinned_k256_pubkey = [old, ROOT.key];
    const find = (pins: KmsPin[], roots = pinned_k256_pubkey) =>
      envKeyFinding(
        {
          public_key,
          verdict: judgeEnvKey({ public_key, signature, app_id, pinned_k256_pubkey: roots }, pins),
        },
        null,
      );
    expect(find([]).tone).toBe('ok');
    expect(find([pin(old), pin(ROOT.key)]).tone).toBe('ok');
    expect(find([pin(old)])).toMatchObject({ tone: 'attention', word: 'Root key is being replaced' });
    // Not announced: a change all the same.
    expect(find([pin(old)], [ROOT.key]).tone).toBe('error');
    expect(find([pin(old)], [old]).tone).toBe('error');
  });
  it('must be the one that secrets were sealed to', () => {
    expect(envKeyFinding({ public_key, verdict: judge() }, 'ab'.repeat(32))).toMatchObject({
      tone: 'error',
      word: 'Environment key changed',
    });
    expect(envKeyFinding({ public_key, verdict: judge() }, public_key.toUpperCase()).tone).toBe('ok');
  });
});

describe('the key provider', () => {
  const find = (
    state: ReportState,
    key_provider: { name: string; id: string } | undefined,
    ca_pubkey: string | null,
    checks: Partial<Report['checks'][number]>[] = [],
  ) =>
    providerFinding(
      { error: null, kms: { ca_pubkey } } as CvmEvidence,
      { state, simulated: state === 'simulated', facts: { key_provider }, checks } as Report,
    );
  const kms = { name: 'kms', id: 'aa' };

  it('passes only when it is the pinned one in verified evidence', () => {
    expect(find('verified', kms, 'AA').tone).toBe('ok');
    for (const state of ['unknown', 'not verified', 'simulated'] as const)
      expect(find(state, kms, 'aa').tone, state).not.toBe('ok');
    expect(find('simulated', kms, 'aa').tone).toBe('simulated');
  });
  it('is an error if it fails against the keys pinned in this browser, whatever is on record', () => {
    const failed = [{ id: 'kms.root', state: 'failed' }] as const;
    expect(find('not verified', kms, 'aa', [...failed])).toMatchObject({
      tone: 'error',
      word: 'Keys from a KMS you didn’t pin',
    });
  });
  it('reports another, missing or unpinned provider', () => {
    expect(find('verified', kms, 'bb').word).toBe('Keys from another KMS');
    expect(find('verified', kms, null).tone).toBe('attention');
    expect(find('verified', { name: 'none', id: '' }, 'aa').tone).toBe('attention');
    expect(find('unknown', undefined, 'aa').word).toBe('Unknown');
  });
});

describe('who can access what', () => {
  const kms = { slug: 'main', gateway_app_id: null } as EvidenceKms;
  const who = (what: string, change: Partial<Parameters<typeof readersOf>[0]> = {}) =>
    readersOf({
      kms,
      simulated: false,
      provider: 'kms',
      public_logs: false,
      public_tcbinfo: true,
      ...change,
    }).find((reader) => reader.what.startsWith(what))?.who;

  it('names the operator of a local teepod', () => {
    for (const what of ['Secrets', 'Disk data', 'CVM memory', 'Container logs', 'Traffic'])
      expect(who(what, { simulated: true })).toMatch(/machine’s operator/i);
  });
  it('names the KMS and public data', () => {
    expect(who('Secrets')).toContain('KMS “main”');
    expect(who('Disk data', { provider: null })).toMatch(/^Unknown/);
    expect(who('Container logs', { public_logs: true })).toMatch(/^Anyone/);
    expect(who('Container logs')).toMatch(/^Nobody/);
    expect(who('Compose', { public_tcbinfo: false })).not.toContain('anyone');
  });
  it('flags a KMS that accepts any gateway', () => {
    const pin = (gateway_app_id: string | null, kms_contract_address: string | null) =>
      gatewayPin({ gateway_app_id, kms_contract_address });
    const [app, contract] = ['ab'.repeat(20), `0x${'c'.repeat(40)}`];
    for (const address of [null, contract]) expect(pin('any', address).risky).toBe(true);
    const of = (...given: Parameters<typeof pin>) => [pin(...given).risky, pin(...given).word];
    expect(of(app, contract)).toEqual([false, 'Pinned']);
    // Nobody compares what an administrator entered.
    expect(of(app, null)).toEqual([false, 'On record']);
    expect(of(null, contract)).toEqual([false, 'Unknown']);
    expect(of(null, null)).toEqual([false, 'None on record']);
  });
});
