import { describe, expect, it } from 'vitest';
import { mergeStatus, parseQeIdentity, parseTcbInfo } from './tcb';
import {
  BODY,
  type Draft,
  mockEvidence,
  qeIdentityDraft,
  tcbInfoDraft,
  type EvidenceEdits,
} from './testing/mockEvidence';
import { honest, NOW, pki, verify } from './testing/tampering';
import { TCB_STATUSES, type CheckId, type TcbStatus } from './types';

const reportOf = async (edits: EvidenceEdits) => verify(await mockEvidence(pki, edits));
const detail = async (edits: EvidenceEdits, id: CheckId) =>
  (await reportOf(edits)).checks.find((check) => check.id === id)?.detail;

describe('TCB levels', () => {
  it('match by component, regardless of their order in the file', async () => {
    // The platform reaches both levels; the higher one is out of date and comes last.
    const shuffled = (draft: Draft): void => {
      const [high, low] = draft.tcbLevels as Draft[];
      draft.tcbLevels = [
        { ...low, tcbStatus: 'UpToDate' },
        { ...high, tcbStatus: 'OutOfDate' },
      ];
    };
    const report = await reportOf({ collateral: { tcbInfo: shuffled } });
    expect(report.facts.tcb_status).toBe('OutOfDate');
    expect(report.state).toBe('not verified');
  });

  it('are ordered by SGX components, then PCE SVN, then TDX components', () => {
    const draft = tcbInfoDraft(NOW);
    const level = (sgx: number[], pcesvn: number, tdx: number[]): Draft => ({
      tcb: {
        sgxtcbcomponents: Array.from({ length: 16 }, (_, i) => ({ svn: sgx[i] ?? 0 })),
        pcesvn,
        tdxtcbcomponents: Array.from({ length: 16 }, (_, i) => ({ svn: tdx[i] ?? 0 })),
      },
      tcbDate: '2024-03-13T00:00:00Z',
      tcbStatus: 'UpToDate',
    });
    draft.tcbLevels = [
      level([1], 9, [9]),
      level([2], 1, [1]),
      level([1, 1], 0, [0]),
      level([2], 1, [2]),
      level([2], 3, [0]),
    ];
    const { levels } = parseTcbInfo(JSON.stringify(draft));
    expect(levels.map(({ sgx, pceSvn, tdx }) => [sgx[0], sgx[1], pceSvn, tdx[0]])).toEqual([
      [2, 0, 3, 0],
      [2, 0, 1, 2],
      [2, 0, 1, 1],
      [1, 1, 0, 0],
      [1, 0, 9, 9],
    ]);
  });

  it('are ordered by version for modules and the quoting enclave', () => {
    const levels = [3, 7, 5].map((isvsvn) => ({
      tcb: { isvsvn },
      tcbDate: '2024-01-01T00:00:00Z',
      tcbStatus: 'UpToDate',
    }));
    const info = tcbInfoDraft(NOW);
    (info.tdxModuleIdentities as Draft[])[0]!.tcbLevels = levels;
    const module = parseTcbInfo(JSON.stringify(info)).modules.get('TDX_01');
    expect(module?.levels.map(({ isvSvn }) => isvSvn)).toEqual([7, 5, 3]);
    const identity = parseQeIdentity(JSON.stringify({ ...qeIdentityDraft(NOW), tcbLevels: levels }));
    expect(identity.levels.map(({ isvSvn }) => isvSvn)).toEqual([7, 5, 3]);
  });

  it('use the first of two module identities with the same ID', async () => {
    const twice = (first: string, second: string) => (draft: Draft) => {
      const [one] = draft.tdxModuleIdentities as Draft[];
      const withStatus = (tcbStatus: string): Draft => ({
        ...one,
        tcbLevels: [{ tcb: { isvsvn: 4 }, tcbDate: '2024-03-13T00:00:00Z', tcbStatus }],
      });
      draft.tdxModuleIdentities = [withStatus(first), { ...withStatus(second), id: 'tdx_01' }];
    };
    const outdated = await reportOf({ collateral: { tcbInfo: twice('OutOfDate', 'UpToDate') } });
    expect(outdated.facts.tcb_status).toBe('OutOfDate');
    const current = await reportOf({ collateral: { tcbInfo: twice('UpToDate', 'OutOfDate') } });
    expect(current.facts.tcb_status).toBe('UpToDate');
  });
});

/** Platform status if one part is OutOfDate, as in Intel's TdxModuleCheck.cpp and TcbLevelCheck.cpp. */
const WITH_OUT_OF_DATE: Readonly<Record<TcbStatus, TcbStatus>> = {
  UpToDate: 'OutOfDate',
  SWHardeningNeeded: 'OutOfDate',
  ConfigurationNeeded: 'OutOfDateConfigurationNeeded',
  ConfigurationAndSWHardeningNeeded: 'OutOfDateConfigurationNeeded',
  OutOfDate: 'OutOfDate',
  OutOfDateConfigurationNeeded: 'OutOfDateConfigurationNeeded',
  Revoked: 'Revoked',
};

describe('merged statuses', () => {
  const three = TCB_STATUSES.flatMap((a) =>
    TCB_STATUSES.flatMap((b) => TCB_STATUSES.map((c) => [a, b, c] as const)),
  );

  it("match Intel's library for every module and enclave status", () => {
    for (const platform of TCB_STATUSES) {
      expect(mergeStatus(platform, 'UpToDate', 'UpToDate')).toBe(platform);
      for (const parts of [
        ['OutOfDate', 'UpToDate'],
        ['UpToDate', 'OutOfDate'],
        ['OutOfDate', 'OutOfDate'],
      ] as const)
        expect(mergeStatus(platform, ...parts)).toBe(WITH_OUT_OF_DATE[platform]);
      for (const other of ['UpToDate', 'OutOfDate', 'Revoked'] as const) {
        expect(mergeStatus(platform, 'Revoked', other)).toBe('Revoked');
        expect(mergeStatus(platform, other, 'Revoked')).toBe('Revoked');
      }
    }
  });

  it('keep every defect in all 343 combinations', () => {
    const says = (status: TcbStatus) => ({
      outdated: status.startsWith('OutOfDate'),
      configuration: status.includes('Configuration'),
      software: status.includes('SWHardening'),
    });
    expect(three).toHaveLength(343);
    for (const parts of three) {
      const merged = mergeStatus(...parts);
      const name = parts.join(' + ');
      if (parts.includes('Revoked')) {
        expect(merged, name).toBe('Revoked');
        continue;
      }
      const any = (key: 'outdated' | 'configuration' | 'software') => parts.some((part) => says(part)[key]);
      expect(says(merged), name).toEqual({
        outdated: any('outdated'),
        configuration: any('configuration'),
        // OutOfDate covers it: Intel has no status for both.
        software: any('software') && !any('outdated'),
      });
    }
  });

  it('do not depend on the order of the parts', () => {
    for (const [a, b, c] of three) {
      expect(mergeStatus(c, a, b)).toBe(mergeStatus(a, b, c));
      expect(mergeStatus(mergeStatus(a, b), c)).toBe(mergeStatus(a, mergeStatus(b, c)));
    }
  });
});

describe('reasons', () => {
  const needs = (change: (tcb: Draft) => void) => ({
    tcbInfo: (draft: Draft) => {
      for (const level of draft.tcbLevels as { tcb: Draft }[]) change(level.tcb);
    },
  });
  const raise = (list: string, at: number, svn: number) => (tcb: Draft) =>
    void ((tcb[list] as { svn: number }[])[at]!.svn = svn);

  it.each<[string, (tcb: Draft) => void]>([
    ['SGX TCB component 3: has 2, needs 7', raise('sgxtcbcomponents', 2, 7)],
    ['SGX TCB component 16: has 0, needs 1', raise('sgxtcbcomponents', 15, 1)],
    ['TDX TCB component 3: has 3, needs 9', raise('tdxtcbcomponents', 2, 9)],
    ['PCE SVN: has 13, needs 14', (tcb) => void (tcb.pcesvn = 14)],
  ])('include “%s”', async (reason, change) => {
    expect(await detail({ collateral: needs(change) }, 'tcb.match')).toContain(reason);
  });

  it('state why a platform is outdated', async () => {
    const tcbInfo = (draft: Draft) =>
      raise('sgxtcbcomponents', 2, 7)((draft.tcbLevels as { tcb: Draft }[])[0]!.tcb);
    const reason = await detail({ collateral: { tcbInfo } }, 'tcb.status');
    expect(reason).toContain('OutOfDate');
    expect(reason).toContain('SGX TCB component 3: has 2, needs 7');
  });

  it('name the module and quoting enclave with their versions', async () => {
    const old = (body: Uint8Array) => body.set([1, 1, 3], BODY.teeTcbSvn);
    expect(await detail({ body: old }, 'tcb.module')).toContain(
      '“TDX_01” is older than every version Intel lists: ISV SVN has 1, needs 4',
    );
    const qeReport = (report: Uint8Array) => report.set([3, 0], 258);
    expect(await detail({ qeReport }, 'qe.identity')).toContain('ISV SVN has 3, needs 4');
  });

  it('identify an SGX quote', async () => {
    const quote = honest.quote ?? '';
    const as = async (at: number, hex: string) => {
      const report = await verify({
        ...honest,
        quote: quote.slice(0, 2 * at) + hex + quote.slice(2 * at + hex.length),
      });
      return report.checks.find(({ id }) => id === 'quote.header')?.detail;
    };
    expect(await as(4, '00000000')).toContain('This is an SGX quote');
    expect(await as(0, '0300')).toContain('This is an SGX quote');
    expect(await as(4, '82000000')).toContain('TEE type 0x82');
  });
});
