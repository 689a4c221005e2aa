import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mockCollateral } from '../../../console/lib/attestation/testing/mockEvidence';
import { createMockPki, PLATFORM, type MockPki } from '../../../console/lib/attestation/testing/mockPki';
import { startFakePccs, type FakePccs } from '../../testing/pccs';
import type { CollateralDriver } from './index';
import { memberText } from './memberText';
import { createCollateralDriver } from './pcs';

const FAMILY = { fmspc: Buffer.from(PLATFORM.fmspc).toString('hex'), ca: 'platform' } as const;
const NOW = Math.floor(Date.now() / 1000);
let pki: MockPki;
let pccs: FakePccs;
let driver: CollateralDriver;

beforeAll(async () => {
  pki = await createMockPki(NOW);
  pccs = await startFakePccs(await mockCollateral(pki));
  driver = createCollateralDriver({ url: `${pccs.url}/`, timeout_ms: 60_000 });
});
afterAll(async () => {
  await driver.close();
  await pccs.close();
});
afterEach(async () => {
  pccs.instead(null);
  pccs.serve(await mockCollateral(pki));
});

describe('a PCCS', () => {
  it('returns exact collateral and its expiry', async () => {
    const collateral = await mockCollateral(pki);
    pccs.serve(collateral);
    const fetched = await driver.fetch(FAMILY);
    expect(fetched.collateral).toEqual(collateral);
    expect(fetched.next_update.getTime()).toBe((NOW + 29 * 86_400) * 1000);
    expect(pccs.requests).toContain(`/tdx/certification/v4/tcb?fmspc=${FAMILY.fmspc.toUpperCase()}`);
    expect(pccs.requests).toContain('/sgx/certification/v4/pckcrl?ca=platform&encoding=der');
  });

  it('with expired content returns nothing', async () => {
    const old = await createMockPki(NOW - 40 * 86_400);
    pccs.serve(await mockCollateral(old));
    await expect(driver.fetch(FAMILY)).rejects.toMatchObject({
      kind: 'stale',
      message: expect.stringContaining('expired on'),
    });
  });

  it('reports an unknown platform', async () => {
    pccs.instead((_, response) => response.writeHead(404).end());
    await expect(driver.fetch(FAMILY)).rejects.toMatchObject({ kind: 'unknown_platform' });
  });

  it('that is slow, silent or broken times out', async () => {
    pccs.instead(() => undefined);
    const hasty = createCollateralDriver({ url: `${pccs.url}/`, timeout_ms: 500 });
    await expect(hasty.fetch(FAMILY)).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining("didn't respond within 0.5 s"),
    });
    await hasty.close();
    pccs.instead((request) => request.socket.destroy());
    await expect(driver.fetch(FAMILY)).rejects.toMatchObject({ kind: 'unreachable' });
    pccs.instead((_, response) => response.writeHead(503).end());
    await expect(driver.fetch(FAMILY)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it.each<[string, (body: string) => string]>([
    ['is no JSON', () => '<html>'],
    ['is for another platform', (body) => body.replace(/"fmspc":"[0-9A-F]+"/, '"fmspc":"000000000000"')],
    ['has no signature', (body) => body.replace(/,"signature":"[0-9a-f]+"/, '')],
    ['is far too long', (body) => body.padEnd(2_000_000, ' ')],
  ])('with invalid TCB info is rejected: %s', async (_, change) => {
    const { tcb_info, tcb_info_signature, tcb_info_issuer_chain } = await mockCollateral(pki);
    pccs.instead((_request, response) =>
      response
        .setHeader('TCB-Info-Issuer-Chain', encodeURIComponent(tcb_info_issuer_chain))
        .setHeader('SGX-Enclave-Identity-Issuer-Chain', encodeURIComponent(tcb_info_issuer_chain))
        .setHeader('SGX-PCK-CRL-Issuer-Chain', encodeURIComponent(tcb_info_issuer_chain))
        .end(change(`{"tcbInfo":${tcb_info},"signature":"${tcb_info_signature}"}`)),
    );
    await expect(driver.fetch(FAMILY)).rejects.toMatchObject({ kind: 'unusable' });
  });

  it('without the chain in a header is rejected', async () => {
    const { tcb_info, tcb_info_signature } = await mockCollateral(pki);
    pccs.instead((_, response) =>
      response.end(`{"tcbInfo":${tcb_info},"signature":"${tcb_info_signature}"}`),
    );
    await expect(driver.fetch(FAMILY)).rejects.toMatchObject({ kind: 'unusable' });
  });
});

it('extracts the signed text from its envelope unchanged', () => {
  const odd = '{ "a" : "}\\"{" , "b":[1,{"c":":"}],\n"x":2 }';
  expect(memberText(`{"signature":"00", "tcbInfo" : ${odd} }`, 'tcbInfo')).toBe(odd);
  expect(memberText(`{"tcbInfo":${odd},"signature":"00"}`, 'tcbInfo')).toBe(odd);
  expect(memberText('{"other":{}}', 'tcbInfo')).toBeNull();
  expect(memberText('{"tcbInfo":"text"}', 'tcbInfo')).toBeNull();
  expect(memberText('[]', 'tcbInfo')).toBeNull();
});
