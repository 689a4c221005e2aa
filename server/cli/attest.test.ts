import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evidenceBundle } from '../../console/lib/attestation/evidenceBundle';
import { policyFile } from '../../console/lib/attestation/policyFile';
import { mockEvidence, mockPolicy } from '../../console/lib/attestation/testing/mockEvidence';
import { createMockPki, type MockPki } from '../../console/lib/attestation/testing/mockPki';
import type { Evidence, Report } from '../../console/lib/attestation/types';
import { commandLine } from '../testing/commandLine';

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
/** With root, clock and policy that the mock evidence is verified under. */
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

describe('teehouse attest', () => {
  it('ends with 0 for what is verified, and names each check', async () => {
    const { code, out, err } = await attest(evidence);
    expect([code, err]).toEqual([0, []]);
    expect(out[0]).toBe(`VERIFIED, as of ${AT}`);
    expect(out.join('\n')).toContain('passed    Quote signature  (quote.signature)');
    expect(out.at(-1)).toContain('Trusted:');
  });

  it('ends with 1 and the reason first when a byte was changed', async () => {
    const quote = evidence.quote ?? '';
    const flipped = `${quote.slice(0, 2 * 600)}${quote.slice(1200, 1202) === '00' ? '01' : '00'}${quote.slice(1202)}`;
    const { code, out } = await attest({ ...evidence, quote: flipped });
    expect(code).toBe(1);
    expect(out[0]).toContain('NOT VERIFIED');
    expect(out[3]).toMatch(/^FAILED/);
    expect((await attest(evidence, '--compose-hash', '0'.repeat(64))).code).toBe(1);
    expect((await attest(evidence, '--at', '2040-01-01')).code).toBe(1);
  });

  it('ends with 1 without the development root: the pinned root is Intel’s', async () => {
    const at = ['--at', AT, '--policy', file('policy.json')];
    const { code } = await run(['attest', await save('e.json', evidenceBundle(evidence)), ...at]);
    expect(code).toBe(1);
  });

  it('ends with 3 for exceptions, which the options decide on', async () => {
    const old = await mockEvidence(pki, {
      collateral: {
        tcbInfo: (draft) =>
          void ((draft.tcbLevels as { tcbStatus: string }[])[0]!.tcbStatus = 'SWHardeningNeeded'),
      },
    });
    const { code, out } = await attest(old);
    expect(code).toBe(3);
    expect(out[0]).toContain('VERIFIED WITH EXCEPTIONS');
    expect((await attest(old, '--accept-tcb', 'OutOfDate')).code).toBe(1);
  });

  it('ends with 2 for what is unknown or simulated', async () => {
    const { collateral: _, ...without } = evidence;
    const unknown = await attest(without);
    expect(unknown.code).toBe(2);
    expect(unknown.out[0]).toContain('UNKNOWN');
    const simulated = await attest({ ...evidence, simulated: true });
    expect(simulated.code).toBe(2);
    expect(simulated.out[0]).toContain('SIMULATED');
  });

  it('ends with 2 for files that hold no evidence and no policy', async () => {
    for (const text of ['', '{}', '<html>', '{"format":"teehouse.evidence","version":9}']) {
      const { code, err } = await run(['attest', await save('bad.json', text)]);
      expect([code, err.length]).toEqual([2, 1]);
    }
    expect((await run(['attest', file('none.json')])).code).toBe(2);
    await save('typo.json', '{"compose_hashh":"00"}');
    const typo = await attest(evidence, '--policy', file('typo.json'));
    expect([typo.code, typo.err[0]]).toEqual([2, 'The policy has a key “compose_hashh” that means nothing.']);
    expect((await attest(evidence, '--accept-tcb', 'Fine')).err[0]).toContain('“Fine” is no TCB status');
    expect((await run(['attest'])).code).toBe(2);
    expect((await attest(evidence, '--at', 'tomorrow')).code).toBe(2);
  });

  it('prints the whole report as JSON', async () => {
    const { code, out } = await attest(evidence, '--json', '--quote-only');
    const report = JSON.parse(out.join('\n')) as Report;
    expect([code, report.state, report.verified_at]).toEqual([0, 'verified', NOW]);
    expect(report.checks.map(({ id }) => id)).toContain('tcb.status');
  });

  it('stands in the help', async () => {
    const { out } = await run(['help']);
    expect(out.join('\n')).toContain('teehouse attest FILE');
  });
});
