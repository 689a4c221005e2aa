import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evidenceBundle } from '../../console/lib/attestation/evidenceBundle';
import { policyFile } from '../../console/lib/attestation/policyFile';
import {
  KMS_ROOT,
  mockEvidence,
  mockPolicy,
  runtimeEvent,
} from '../../console/lib/attestation/testing/mockEvidence';
import { createKeys, createMockPki, type MockPki } from '../../console/lib/attestation/testing/mockPki';
import type { Evidence, Report } from '../../console/lib/attestation/types';
import { bytesToHex } from '../../console/lib/bytes';
import { commandLine } from '../testing/commandLine';
import { raTlsGuest, type RaTlsGuest } from '../testing/raTlsGuest';

const NOW = 1_800_000_000;
const AT = new Date(NOW * 1000).toISOString();
let dir: string;
let pki: MockPki;
let evidence: Evidence;
const run = commandLine({});
const file = (name: string) => path.join(dir, name);
const save = async (name: string, text: string): Promise<string> => {
  await writeFile(file(name), text);
  return file(name);
};
/** Verifies the mock evidence with this root, clock and policy. */
const attest = async (changed: Evidence, ...more: string[]) =>
  run([
    'attest',
    await save('e.json', evidenceBundle(changed)),
    '--root',
    file('root.pem'),
    '--at',
    AT,
    '--policy',
    file('policy.json'),
    ...more,
  ]);

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'teehouse-attest-'));
  pki = await createMockPki(NOW);
  evidence = await mockEvidence(pki);
  await save('root.pem', pki.rootPem);
  await save('policy.json', policyFile(mockPolicy(evidence)));
});
afterAll(() => rm(dir, { recursive: true }));

/** What a team would pin of this guest. */
const namedBy = ({ ca_pubkey }: RaTlsGuest, { report_data }: Report['facts']) => ({
  report_data,
  key_provider_ids: [ca_pubkey],
  kms_roots: undefined,
});

describe('teehouse attest', () => {
  it('exits with 0 for verified evidence and names each check', async () => {
    const { code, out, err } = await attest(evidence);
    expect([code, err]).toEqual([0, []]);
    expect(out[1]).toBe(`VERIFIED, as of ${AT}`);
    expect(out.join('\n')).toContain('passed    Quote signature  (quote.signature)');
    expect(out.at(-1)).toContain('Trusted:');
  });

  it('exits with 1 and prints the reason first when a byte was changed', async () => {
    const quote = evidence.quote ?? '';
    const flipped = `${quote.slice(0, 2 * 600)}${quote.slice(1200, 1202) === '00' ? '01' : '00'}${quote.slice(1202)}`;
    const { code, out } = await attest({ ...evidence, quote: flipped });
    expect(code).toBe(1);
    expect(out[1]).toContain('NOT VERIFIED');
    expect(out[4]).toMatch(/^FAILED/);
    expect((await attest(evidence, '--compose-hash', '0'.repeat(64))).code).toBe(1);
    expect((await attest(evidence, '--at', '2040-01-01')).code).toBe(1);
  });

  it('exits with 1 without the development root, because only Intel’s root is pinned', async () => {
    const at = ['--at', AT, '--policy', file('policy.json')];
    const { code } = await run(['attest', await save('e.json', evidenceBundle(evidence)), ...at]);
    expect(code).toBe(1);
  });

  it('exits with 3 for exceptions, unless the options accept them', async () => {
    const old = await mockEvidence(pki, {
      collateral: {
        tcbInfo: (draft) =>
          void ((draft.tcbLevels as { tcbStatus: string }[])[0]!.tcbStatus = 'SWHardeningNeeded'),
      },
    });
    const { code, out } = await attest(old);
    expect(code).toBe(3);
    expect(out[1]).toContain('VERIFIED WITH EXCEPTIONS');
    expect((await attest(old, '--accept-tcb', 'OutOfDate')).code).toBe(1);
  });

  it('exits with 2 for unknown or simulated evidence', async () => {
    const { collateral: _, ...without } = evidence;
    const unknown = await attest(without);
    expect(unknown.code).toBe(2);
    expect(unknown.out[1]).toContain('UNKNOWN');
    const simulated = await attest({ ...evidence, simulated: true });
    expect(simulated.code).toBe(2);
    expect(simulated.out[1]).toContain('SIMULATED');
  });

  it('exits with 2 for files without valid evidence or policy', async () => {
    for (const text of ['', '{}', '<html>', '{"format":"teehouse.evidence","version":9}']) {
      const { code, err } = await run(['attest', await save('bad.json', text)]);
      expect([code, err.length]).toEqual([2, 1]);
    }
    expect((await run(['attest', file('none.json')])).code).toBe(2);
    await save('typo.json', '{"compose_hashh":"00"}');
    const typo = await attest(evidence, '--policy', file('typo.json'));
    expect([typo.code, typo.err[0]]).toEqual([2, 'The policy has an unknown key “compose_hashh”.']);
    expect((await attest(evidence, '--accept-tcb', 'Fine')).err[0]).toContain('“Fine” is not a TCB status');
    expect((await run(['attest'])).code).toBe(2);
    expect((await attest(evidence, '--at', 'tomorrow')).code).toBe(2);
  });

  it('prints the whole report as JSON', async () => {
    const { code, out } = await attest(evidence, '--json', '--quote-only');
    const report = JSON.parse(out.join('\n')) as Report;
    expect([code, report.state, report.verified_at]).toEqual([0, 'verified', NOW]);
    expect(report.checks.map(({ id }) => id)).toContain('tcb.status');
  });

  it('strips control characters that come from the evidence', async () => {
    const hostile = await mockEvidence(pki, {
      events: (events) => [runtimeEvent('\u001b[2J\nVERIFIED\u202e\u009b1m', ''), ...events],
    });
    const { code, out } = await attest(hostile);
    expect(code).toBe(1);
    expect(out.join('')).toContain('VERIFIED\u{fffd}');
    for (const line of out) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('states on the first line that the caller supplied the root', async () => {
    const { out } = await attest(evidence);
    expect(out[0]).toContain("TRUSTED ROOT GIVEN BY THE CALLER, not Intel's");
    expect(out[0]).toContain('Intel SGX Root CA');
    expect(out[0]).toMatch(/SHA-256 [0-9a-f]{64}.*root\.pem$/);
    const json = await attest(evidence, '--json');
    const report = JSON.parse(json.out.join('\n')) as Report;
    expect(report.roots).toMatchObject({ source: 'caller', certificates: [{ name: 'Intel SGX Root CA' }] });
    expect(Object.keys(report)[0]).toBe('roots');
    const builtIn = await run(['attest', await save('e.json', evidenceBundle(evidence)), '--at', AT]);
    expect(builtIn.out[0]).toBe(`NOT VERIFIED, as of ${AT}`);
  });

  it.each([4_000, 100_000])('exits with 2 for evidence nested %i deep', async (depth) => {
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    for (const text of [
      nested,
      `{"event_log":${nested}}`,
      `{"format":"teehouse.evidence","version":1,"evidence":{"quote":"00","vm_config":${nested}}}`,
      `{"collateral":{"tcb_info":${nested}}}`,
      `{"format":"teehouse.evidence","version":${nested}}`,
    ]) {
      const { code, out, err } = await run(['attest', await save('deep.json', text)]);
      expect([code, out]).toEqual([2, []]);
      expect(err).toEqual(['The evidence is unreadable: the file is nested more than 64 levels deep.']);
    }
    await save('deep-policy.json', `{"accepted_tcb":${nested}}`);
    const policy = await attest(evidence, '--policy', file('deep-policy.json'));
    expect([policy.code, policy.err]).toEqual([2, ['The policy is nested more than 64 levels deep.']]);
  });

  it('pins the KMS root from hex, from a file and from the policy', async () => {
    const other = bytesToHex((await createKeys()).publicKey);
    const check = async (...more: string[]) => {
      const { code, out } = await attest(evidence, '--json', ...more);
      const report = JSON.parse(out.join('\n')) as Report;
      return [code, report.checks.find(({ id }) => id === 'kms.root')?.state];
    };
    expect(await check('--kms-root', KMS_ROOT.toUpperCase())).toEqual([0, 'passed']);
    expect(await check('--kms-root', `${other},${KMS_ROOT.slice(-130)}`)).toEqual([0, 'passed']);
    expect(await check('--kms-root', other)).toEqual([1, 'failed']);
    const pem = `-----BEGIN PUBLIC KEY-----\n${Buffer.from(KMS_ROOT, 'hex').toString('base64')}\n-----END PUBLIC KEY-----\n`;
    expect(await check('--kms-root', await save('kms.pem', pem))).toEqual([0, 'passed']);
    // A certificate pins its public key.
    expect(await check('--kms-root', file('root.pem'))).toEqual([1, 'failed']);
    const pinned = policyFile({
      ...mockPolicy(evidence),
      key_provider_ids: undefined,
      kms_roots: [KMS_ROOT],
    });
    expect(await check('--policy', await save('pinned.json', pinned))).toEqual([0, 'passed']);
  });

  it("rejects a KMS root that isn't a key", async () => {
    for (const root of ['00'.repeat(65), `${KMS_ROOT}00`, await save('no.pem', 'hello')]) {
      const { code, out, err } = await attest(evidence, '--kms-root', root);
      expect([code, out, err.length]).toEqual([2, [], 1]);
    }
  });

  it('exits with 1 for certificates that can’t be read', async () => {
    const { code, out } = await attest({ ...evidence, certificate_chain: 'junk' });
    expect(code).toBe(1);
    expect(out.join('\n')).toContain('FAILED    Guest’s certificates are valid  (certificates)');
  });

  it('exits with 1 for a quote of another certificate, with and without a policy', async () => {
    const [own, other] = await Promise.all([raTlsGuest(pki), raTlsGuest(pki)]);
    const look = async ({ info }: RaTlsGuest, ...more: string[]) => {
      const given = { ...own.evidence, certificate_chain: String(info['app_cert']) };
      const saved = await save('guest.json', evidenceBundle(given));
      const root = file('root.pem');
      const { code, out } = await run(['attest', saved, '--root', root, '--at', AT, '--json', ...more]);
      const { checks, facts } = JSON.parse(out.join('\n')) as Report;
      const state = (name: string) => checks.find(({ id }) => id === name)?.state;
      return { found: [code, state('report_data'), state('certificates')], facts };
    };
    const { found, facts } = await look(own);
    expect(found).toEqual([2, 'passed', 'passed']);
    expect((await look(other)).found).toEqual([1, 'failed', 'failed']);
    const policy = await save(
      'own.json',
      policyFile({ ...mockPolicy(own.evidence), ...namedBy(own, facts) }),
    );
    expect((await look(own, '--policy', policy)).found).toEqual([0, 'passed', 'passed']);
    expect((await look(other, '--policy', policy)).found).toEqual([1, 'passed', 'failed']);
  });

  it('is listed in the help', async () => {
    const { out } = await run(['help']);
    expect(out.join('\n')).toContain('teehouse attest FILE');
  });
});
