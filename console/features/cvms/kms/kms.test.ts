import { describe, expect, it } from 'vitest';
import type { CvmEvidence, EvidenceKms } from '../../../../generated/api/types.gen';
import type { Report, ReportState } from '../../../lib/attestation/types';
import { signEnvKey } from '../../../lib/kmsKey';
import { envKeyFinding, providerFinding } from './findings';
import { gatewayPin, readersOf } from './readers';
import { judgeEnvKey } from './useEnvKey';

const ROOT = {
  secret: '1dfe1b4c72a28b9c8353f9280bcf5c1b4a287790e888c193aa37852d3eff7810',
  pinned_k256_pubkey: '02a771f773b0d2df8bc892e87134685b084dc620c0306af27936c4e9d1aa9d8538',
};
const app_id = '00112233445566778899aabbccddeeff00112233';
const public_key = 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f';
const signature = signEnvKey({ public_key, app_id }, ROOT.secret);
const judge = (change: Partial<Parameters<typeof judgeEnvKey>[0]> = {}) =>
  judgeEnvKey({ public_key, signature, app_id, pinned_k256_pubkey: ROOT.pinned_k256_pubkey, ...change });

describe('the environment key', () => {
  it('is good when the pinned root signed it for this app', () => {
    expect(judge()).toEqual({ good: true, signer: ROOT.pinned_k256_pubkey });
    expect(envKeyFinding({ public_key, verdict: judge() }, null).tone).toBe('ok');
  });
  it.each<[string, Partial<Parameters<typeof judgeEnvKey>[0]>]>([
    ['of another app', { app_id: 'f'.repeat(40) }],
    ['that was swapped', { public_key: '00'.repeat(32) }],
    ['signed by another root', { signature: signEnvKey({ public_key, app_id }, '11'.repeat(32)) }],
    ['with half a signature', { signature: '00' }],
    ['without a pinned root', { pinned_k256_pubkey: null }],
  ])('%s is not', (_, change) => {
    const verdict = judge(change);
    expect(verdict.good).toBe(false);
    expect(envKeyFinding({ public_key, verdict }, null)).toMatchObject({ tone: 'error' });
  });
  it('must be the one that secrets were sealed to', () => {
    expect(envKeyFinding({ public_key, verdict: judge() }, 'ab'.repeat(32))).toMatchObject({
      tone: 'error',
      word: 'Another key than secrets were sealed to',
    });
    expect(envKeyFinding({ public_key, verdict: judge() }, public_key.toUpperCase()).tone).toBe('ok');
  });
});

describe('the key provider', () => {
  const find = (
    state: ReportState,
    key_provider: { name: string; id: string } | undefined,
    ca_pubkey: string | null,
  ) =>
    providerFinding(
      { error: null, kms: { ca_pubkey } } as CvmEvidence,
      { state, facts: { key_provider } } as Report,
    );
  const kms = { name: 'kms', id: 'aa' };

  it('is good only when it is the pinned one, in evidence that is verified', () => {
    expect(find('verified', kms, 'AA').tone).toBe('ok');
    for (const state of ['unknown', 'not verified', 'simulated'] as const)
      expect(find(state, kms, 'aa').tone, state).not.toBe('ok');
    expect(find('simulated', kms, 'aa').tone).toBe('simulated');
  });
  it('that is another, none, or not pinned is said to be so', () => {
    expect(find('verified', kms, 'bb').word).toBe('Keys from another KMS');
    expect(find('verified', kms, null).tone).toBe('attention');
    expect(find('verified', { name: 'none', id: '' }, 'aa').tone).toBe('attention');
    expect(find('unknown', undefined, 'aa').word).toBe('Not known');
  });
});

describe('who could read what', () => {
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

  it('is plain about the local teepod', () => {
    for (const what of ['Secrets', 'Data', 'Memory'])
      expect(who(what, { simulated: true })).toMatch(/whoever runs this machine/i);
  });
  it('names the KMS, and what is public', () => {
    expect(who('Secrets')).toContain('KMS “main”');
    expect(who('Data', { provider: null })).toMatch(/^Not known/);
    expect(who('Logs', { public_logs: true })).toMatch(/^Everybody/);
    expect(who('Compose', { public_tcbinfo: false })).not.toContain('everybody');
  });
  it('flags a KMS that accepts any gateway', () => {
    expect(gatewayPin({ gateway_app_id: 'any' }).risky).toBe(true);
    expect(gatewayPin({ gateway_app_id: 'ab'.repeat(20) })).toMatchObject({ risky: false, word: 'Pinned' });
    expect(gatewayPin({ gateway_app_id: null }).risky).toBe(false);
  });
});
