import { expect } from 'vitest';
import type { Problem, ProblemDetail } from '../../generated/api/types.gen';
import type { CvmRow } from '../db/cvms/cvmsTable';
import { startFakeVmm } from '../drivers/vmm/fake';
import { COMPOSE, identityOf, insertHost } from './cvmFixtures';
import { endedOperation, runningCvm } from './hostedCvm';
import { startTestServer } from './server';

const METHODS = [
  'StartVm',
  'StopVm',
  'ShutdownVm',
  'UpdateVm',
  'CreateVm',
  'RemoveVm',
  'GetInfo',
  'Status',
  'ReloadVms',
  'SvList',
];

export type HostedTeam = Awaited<ReturnType<typeof startHostedTeam>>;

/**
 * A server with a fake host, a team of two members and a stranger: for tests of several users changing one CVM.
 *
 * @param name host name, and prefix of each app's name
 */
export async function startHostedTeam(name: string, env: Record<string, string> = {}) {
  const server = await startTestServer({ env });
  const fake = await startFakeVmm({ stage_ms: 30, images: ['dstack-0.6.0', 'dstack-0.6.1'] });
  const { db } = server.services;
  const member = await server.register();
  const who = await identityOf(db, member.email!);
  const other = await server.register();
  const { user_id } = await identityOf(db, other.email!);
  await db
    .insertInto('memberships')
    .values({ team_id: who.team_id, user_id, role: 'member', is_default: false })
    .execute();
  const colleague = other.with({ 'x-workspace': member.slug! });
  const stranger = await server.register();
  const host = await insertHost(db, { name, url: fake.url });
  let count = 0;

  return {
    server,
    fake,
    host,
    member,
    colleague,
    stranger,
    running: () => runningCvm(server.services, { host, ...who, name: `${name}-${++count}` }),
    ended: (cvm: CvmRow) => endedOperation(db, cvm),
    now: (cvm: CvmRow) =>
      db.selectFrom('cvms').selectAll().where('id', '=', cvm.id).executeTakeFirstOrThrow(),
    /** Updates the Compose file as the member and returns the correlation ID. */
    async update(cvm: CvmRow, greeting: string, more: Record<string, unknown> = {}): Promise<string> {
      const answer = await member.call('patchCvm', {
        path: at(cvm),
        body: { docker_compose_file: composeWith(greeting), ...more },
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(202);
      return (answer.body as { correlation_id: string }).correlation_id;
    },
    /** Resets a test's changes to the host's responses. */
    restoreHost() {
      for (const method of METHODS) fake.on(`/prpc/${method}`, () => 'pass');
      fake.hidden.clear();
      fake.processes.clear();
    },
    async close() {
      await server.stop();
      await fake.close();
    },
  };
}

export const at = (cvm: CvmRow) => ({ cvm_id: cvm.public_id });
export const composeWith = (greeting: string) => COMPOSE.replace('GREETING}', `GREETING:-${greeting}}`);
export const detailOf = (answer: { body: unknown }) => (answer.body as Problem).detail as ProblemDetail;
