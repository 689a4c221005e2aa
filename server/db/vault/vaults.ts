import { sql } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';
import type { SecretCopyRow } from './secretCopiesTable';
import type { VaultLockRow } from './vaultLocksTable';
import type { VaultRow } from './vaultsTable';

/** Unlock methods per vault. */
export const MAX_LOCKS = 10;
/** Copies one user keeps per app, apart from further ones that CVMs run with. */
const MAX_COPIES = 5;
/** Copies including those, while they are small: a list holds them all. */
const MAX_COPIES_IN_USE = 100;
const MAX_BYTES_IN_USE = 5 * 1024 * 1024;

export interface VaultWithLocks {
  vault: VaultRow;
  locks: VaultLockRow[];
}

export async function findVault(db: Db | Tx, user_id: number): Promise<VaultWithLocks | null> {
  const vault = await db.selectFrom('vaults').selectAll().where('user_id', '=', user_id).executeTakeFirst();
  return vault ? { vault, locks: await locksOf(db, user_id) } : null;
}

function locksOf(db: Db | Tx, user_id: number): Promise<VaultLockRow[]> {
  return db
    .selectFrom('vault_locks')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('id')
    .limit(MAX_LOCKS)
    .execute();
}

/**
 * The same, locked until the transaction ends: of two requests that remove the last two locks, the second is
 * refused.
 */
export async function lockVault(trx: Tx, user_id: number): Promise<VaultWithLocks | null> {
  const vault = await trx
    .selectFrom('vaults')
    .selectAll()
    .where('user_id', '=', user_id)
    .forUpdate()
    .executeTakeFirst();
  return vault ? { vault, locks: await locksOf(trx, user_id) } : null;
}

/** Returns false when one already exists. */
export async function insertVault(trx: Tx, user_id: number, public_key: Buffer): Promise<boolean> {
  const made = await trx
    .insertInto('vaults')
    .values({ user_id, public_key })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return made !== undefined;
}

export type NewLock = Pick<
  VaultLockRow,
  'kind' | 'name' | 'salt' | 'iterations' | 'credential_id' | 'wrapped_key'
>;

export function insertLock(trx: Tx, user_id: number, lock: NewLock): Promise<VaultLockRow> {
  return trx
    .insertInto('vault_locks')
    .values({ ...lock, user_id, public_id: publicId('lck') })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteLock(trx: Tx, id: number): Promise<void> {
  await trx.deleteFrom('vault_locks').where('id', '=', id).execute();
}

export async function deleteVaultRow(trx: Tx, user_id: number): Promise<boolean> {
  const gone = await trx
    .deleteFrom('vaults')
    .where('user_id', '=', user_id)
    .returning('user_id')
    .executeTakeFirst();
  return gone !== undefined;
}

export interface CopyInUse extends Pick<SecretCopyRow, 'env_digest' | 'ciphertext' | 'updated_at'> {
  /** UUIDs of the app's CVMs that run with exactly this environment or are being updated to it. */
  cvms: string[];
}

/** Returns a user's copies of one app, newest first. */
export async function listCopies(db: Db | Tx, user_id: number, app_id: number): Promise<CopyInUse[]> {
  return db
    .selectFrom('secret_copies as copy')
    .select(['copy.env_digest', 'copy.ciphertext', 'copy.updated_at', cvmsOf().as('cvms')])
    .where('copy.user_id', '=', user_id)
    .where('copy.app_id', '=', app_id)
    .orderBy('copy.updated_at', 'desc')
    .limit(MAX_COPIES_IN_USE)
    .execute();
}

const cvmsOf = () => sql<string[]>`array(
  select c.vm_uuid::text from cvms c
  left join operations o on o.cvm_id = c.id and o.type = 'update' and o.state in ('queued', 'running')
  where c.app_id = copy.app_id and c.deleted_at is null
    and sha256(decode(coalesce(o.payload ->> 'encrypted_env', c.encrypted_env), 'hex')) = copy.env_digest
  order by c.id limit 100)`;

/**
 * Stores a copy, replacing one of the same environment. Then deletes copies beyond the newest that no CVM
 * runs with or is being updated to: a failed update leaves the previous environment running, and each CVM of
 * an app can have its own.
 */
export async function putCopy(
  trx: Tx,
  copy: Pick<SecretCopyRow, 'user_id' | 'app_id' | 'team_id' | 'env_digest' | 'ciphertext'>,
): Promise<CopyInUse> {
  await trx
    .insertInto('secret_copies')
    .values(copy)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'app_id', 'env_digest'])
        .doUpdateSet({ ciphertext: copy.ciphertext, updated_at: sql`clock_timestamp()` }),
    )
    .execute();
  await sql`
    with in_use as (
      select sha256(decode(e.sealed, 'hex')) as env_digest
      from cvms c
      left join operations o on o.cvm_id = c.id and o.type = 'update' and o.state in ('queued', 'running')
      cross join lateral (values (c.encrypted_env), (o.payload ->> 'encrypted_env')) e (sealed)
      where c.app_id = ${copy.app_id} and c.deleted_at is null and e.sealed is not null
    ), old as (
      select env_digest, used, row_number() over ranked as place, sum(octet_length(ciphertext)) over ranked as bytes
      from (
        select env_digest, ciphertext, updated_at, env_digest in (select env_digest from in_use) as used
        from secret_copies where user_id = ${copy.user_id} and app_id = ${copy.app_id}
          and env_digest <> ${copy.env_digest}
      ) one
      window ranked as (order by used desc, updated_at desc)
    )
    delete from secret_copies d using old
    where d.user_id = ${copy.user_id} and d.app_id = ${copy.app_id} and d.env_digest = old.env_digest
      and old.place >= ${MAX_COPIES}
      and (not old.used or old.place >= ${MAX_COPIES_IN_USE} or old.bytes > ${MAX_BYTES_IN_USE})`.execute(
    trx,
  );
  const [kept] = (await listCopies(trx, copy.user_id, copy.app_id)).filter((one) =>
    one.env_digest.equals(copy.env_digest),
  );
  if (!kept) throw new Error('the copy just stored is missing');
  return kept;
}

export async function deleteCopies(trx: Tx, user_id: number, app_id: number): Promise<number> {
  const gone = await trx
    .deleteFrom('secret_copies')
    .where('user_id', '=', user_id)
    .where('app_id', '=', app_id)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}
