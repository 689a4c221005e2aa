import { sql } from 'kysely';
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
  const hosts = await Promise.all(
    ['a', 'b'].map(async (_, i) => {
      const own = gpus[i];
      const fake = await startFakeVmm({ gpus: [...(own ?? [])], allow_attach_all: own !== undefined });
      return { fake, host: await insertHost(db, { url: fake.url, kind: 'dstack_vmm' }) };
    }),
  );
  const [first] = hosts;
  for (const { host } of hosts) {
    host.teepod = await db
      .updateTable('teepods')
      .set({ kms_id: first?.host.kms.id ?? null })
      .where('id', '=', host.teepod.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    // The server may have found it already.
    await sql`insert into teepod_os_images (teepod_id, os_image_id)
      select ${host.teepod.id}, id from os_images where name = 'dstack-0.6.0'
      on conflict do nothing`.execute(db);
  }
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
