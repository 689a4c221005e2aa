import { sql } from 'kysely';
import { withTransaction } from '../../../db/core/client';
import { startFakeVmm, type FakeGpu, type FakeVmm } from '../../../drivers/vmm/fake';
import { identityOf, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { startAdminTest, type AdminTest } from '../../core/admin/testing/admin';

export interface Fleet extends AdminTest {
  /** Two identical hosts: one key service, one gateway, the same image. */
  hosts: { fake: FakeVmm; host: TestHost }[];
  who: { team_id: number; user_id: number };
  close(): Promise<void>;
}

/** @param gpus the GPUs of each host, which may give all of them to one CVM */
export async function startFleet(
  env: Record<string, string> = {},
  gpus: readonly (readonly FakeGpu[])[] = [],
): Promise<Fleet> {
  const test = await startAdminTest({ RECONCILE_SECONDS: '1', ...env });
  const { db } = test.server.services;
  const fakes = await Promise.all(
    ['a', 'b'].map((_, i) => {
      const own = gpus[i];
      return startFakeVmm({ gpus: [...(own ?? [])], allow_attach_all: own !== undefined });
    }),
  );
  // In one transaction: the server reads the facts of a host without images, and they differ from these.
  const hosts = await withTransaction(db, async (trx) => {
    const made: Fleet['hosts'] = [];
    for (const fake of fakes) {
      const host = await insertHost(trx, { url: fake.url, kind: 'dstack_vmm' });
      host.teepod = await trx
        .updateTable('teepods')
        .set({ kms_id: made[0]?.host.kms.id ?? host.kms.id })
        .where('id', '=', host.teepod.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await sql`insert into teepod_os_images (teepod_id, os_image_id)
        select ${host.teepod.id}, id from os_images where name = 'dstack-0.6.0'`.execute(trx);
      made.push({ fake, host });
    }
    return made;
  });
  const [first] = hosts;
  return {
    ...test,
    hosts: hosts.map(({ fake, host }) => ({ fake, host: { ...host, kms: first?.host.kms ?? host.kms } })),
    who: await identityOf(db, test.member.email ?? ''),
    async close() {
      await test.server.stop();
      await Promise.all(hosts.map(({ fake }) => fake.close()));
    },
  };
}
