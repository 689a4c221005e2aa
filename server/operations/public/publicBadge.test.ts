import { expect, it } from 'vitest';
import type { ReportState } from '../../../console/lib/attestation/types';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { badgeOf } from '../../domain/public/badge';
import { badgeOfCvms } from './publicBadge';

interface Cvm {
  status: string;
  /** Result of its verification. */
  found: ReportState;
  is_online?: boolean;
}

let verified: string[] = [];

function badgeFor(prefix: string, app: readonly Cvm[]) {
  verified = [];
  const rows = app.map(({ status }, i) => ({
    cvm: { vm_uuid: `${prefix}-${i}`, status },
    revision: { compose_hash: 'aa' },
    teepod: { id: 1 },
  }));
  return badgeOfCvms(rows as unknown as JoinedCvm[], async ({ cvm: { vm_uuid } }) => {
    verified.push(vm_uuid);
    const one = app[Number(vm_uuid.split('-').at(-1))];
    const found = one?.found ?? 'unknown';
    return badgeOf({ state: found, simulated: found === 'simulated' }, one?.is_online ?? true);
  });
}
const running = (found: ReportState, is_online = true) => ({ status: 'running', found, is_online });

it('shows the worst running CVM, wherever it is in the list', async () => {
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

it('ignores stopped CVMs, and says so if all are stopped', async () => {
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
