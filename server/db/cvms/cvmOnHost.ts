import { sql } from 'kysely';
import type { Db } from '../core/client';
import type { TeepodRow } from '../hosts/teepodsTable';
import type { CvmRow } from './cvmsTable';

/** What reaching a host takes. */
export type ReachedHost = Pick<
  TeepodRow,
  'id' | 'name' | 'kms_id' | 'url' | 'kind' | 'credential_kind' | 'sealed_credential'
>;

/** Returns a CVM with its host, in one query: every operation begins with it. */
export async function cvmOnHost(db: Db, id: number): Promise<{ cvm: CvmRow; teepod: ReachedHost }> {
  const { teepod, ...cvm } = await db
    .selectFrom('cvms')
    .selectAll()
    .select(
      sql<ReachedHost>`(select to_jsonb(host) from (
        select id, name, kms_id, url, kind, credential_kind, sealed_credential
        from teepods where teepods.id = cvms.teepod_id) host)`.as('teepod'),
    )
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { cvm, teepod };
}
