import { expect, it, vi } from 'vitest';
import type { ReportState } from '../../../console/lib/attestation/types';
import type { Services } from '../types';
import { publicBadge } from './publicBadge';

/** Published CVMs of the app and what the verification of each finds. */
let cvms: { vm_uuid: string; status: string; found: ReportState; is_online?: boolean }[] = [];
let verified: string[] = [];

const cvmOf = (vm_uuid: string) => cvms.find((one) => one.vm_uuid === vm_uuid);

vi.mock('./publicApp', () => ({
  publishedApp: () => ({
    cvms: cvms.map((cvm) => ({ cvm, revision: { compose_hash: 'aa' }, teepod: { id: 1 } })),
  }),
}));
vi.mock('./publicEvidence', () => ({
  publicEvidence: (_world: unknown, { cvm }: { cvm: { vm_uuid: string } }) => ({
    vm_uuid: cvm.vm_uuid,
    is_online: cvmOf(cvm.vm_uuid)?.is_online ?? true,
  }),
}));
vi.mock('../../../console/lib/attestation/answer', () => ({
  questionOf: ({ vm_uuid }: { vm_uuid: string }) => ({ evidence: vm_uuid, now: 0, policy: {} }),
}));
vi.mock('../../../console/lib/attestation/verify', () => ({
  verifyEvidence: (vm_uuid: string) => {
    verified.push(vm_uuid);
    return { state: cvmOf(vm_uuid)?.found };
  },
}));

async function badgeFor(prefix: string, app: Omit<(typeof cvms)[number], 'vm_uuid'>[]) {
  cvms = app.map((cvm, i) => ({ ...cvm, vm_uuid: `${prefix}-${i}` }));
  verified = [];
  return publicBadge({} as Services, 'a'.repeat(40));
}
const running = (found: ReportState, is_online = true) => ({ status: 'running', found, is_online });

it('is that of the worst CVM that runs, wherever it is in the list', async () => {
  expect(await badgeFor('all', [running('verified'), running('verified')])).toMatchObject({ color: 'green' });
  expect(await badgeFor('bad', [running('verified'), running('not verified')])).toEqual({
    message: 'not verified',
    color: 'red',
  });
  expect(await badgeFor('off', [running('verified'), running('verified', false)])).toEqual({
    message: 'not responding',
    color: 'grey',
  });
});

it('leaves out CVMs that are stopped, and says so if all are', async () => {
  const stopped = { status: 'stopped', found: 'not verified' as const };
  expect(await badgeFor('some', [running('verified'), stopped])).toMatchObject({ color: 'green' });
  expect(await badgeFor('none', [stopped])).toEqual({ message: 'not running', color: 'grey' });
});

it('verifies each CVM once in five minutes', async () => {
  await badgeFor('again', [running('verified'), running('verified')]);
  expect(verified).toEqual(['again-0', 'again-1']);
  await badgeFor('again', [running('verified'), running('verified')]);
  expect(verified).toEqual([]);
});
