import { sql } from 'kysely';
import type { HostFacts } from '../../../console/lib/public/site';
import { publicId } from '../../domain/core/publicId';
import { pinsOf } from '../../domain/kms/kmsKeys';
import { appendAudit } from '../audit/auditLog';
import type { Db, Tx } from '../core/client';
import { FACTS_DUE } from './hostFacts';
import { allowLocalTeepod, OPEN_TO_NEW_TEAMS } from './teepodTeams';
import { lockFirstAccount } from '../accounts/users';
import { setKmsToken } from '../kms/kmsWebhooks';
import { registerChainKms, type LocalChainKms } from './localChainKms';

export interface LocalHost {
  url: string;
  engine: string;
  gateway_base_domain: string | null;
  k256_pubkey: string;
  /** SPKI (DER) of its root CA key, hex. */
  ca_pubkey: string | null;
  max_cvms: number;
  max_vcpu: number;
  max_memory_mb: number;
  max_disk_gb: number;
  /** Applies at the first start. false: only teams of platform administrators. */
  all_teams: boolean;
  /** 64 hex digits. */
  device_id: string;
  /** Its second KMS, which queries a contract; null without one. */
  chain_kms: LocalChainKms | null;
  /** In the URL that its KMS calls before it releases keys. */
  webhook_token: string;
}

/**
 * Registers the node, KMS and teepod rows of the built-in local teepod. The KMS key is pinned at the first
 * start and only compared afterward.
 */
export async function registerLocalHost(db: Db, host: LocalHost): Promise<{ pins: string[] }> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('register_local_host'))`.execute(trx);
    const node = await trx
      .insertInto('nodes')
      .values({
        name: 'local',
        region: 'local',
        notes: 'This machine. No hardware TEE.',
        device_id: host.device_id,
      })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ device_id: host.device_id, updated_at: new Date() }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    const kms = await trx
      .insertInto('kms')
      .values({
        public_id: publicId('kms'),
        slug: 'local',
        type: 'phala',
        url: `${host.url}:/kms`,
        version: 'local',
        k256_pubkey: host.k256_pubkey,
        ca_pubkey: host.ca_pubkey,
      })
      .onConflict((conflict) =>
        conflict.column('slug').doUpdateSet({
          url: `${host.url}:/kms`,
          // Rows from before this column was added are filled once, then only compared too.
          ca_pubkey: sql`coalesce(kms.ca_pubkey, case when kms.k256_pubkey = ${host.k256_pubkey} then ${host.ca_pubkey} end)`,
          updated_at: new Date(),
        }),
      )
      .returning(['id', 'k256_pubkey', 'next_k256_pubkey'])
      .executeTakeFirstOrThrow();
    await setKmsToken(trx, kms.id, host.webhook_token);
    const values = {
      node_id: node.id,
      kms_id: kms.id,
      url: host.url,
      engine: host.engine,
      gateway_base_domain: host.gateway_base_domain,
      reachable: true,
      reachable_since: new Date(),
      last_seen_at: new Date(),
      // Clears the error from before this start.
      last_error: null,
    };
    // Read from the configuration once; administrators change it afterward.
    const capacity = {
      max_cvms: host.max_cvms,
      max_vcpu: host.max_vcpu,
      max_memory_mb: host.max_memory_mb,
      max_disk_gb: host.max_disk_gb,
      all_teams: host.all_teams,
    };
    // Either this finds the first administrator's team, or the first registration finds the teepod.
    await lockFirstAccount(trx);
    const made = await trx
      .insertInto('teepods')
      .values({ name: 'local-teepod', kind: 'local', ...values, ...capacity })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      // xmax is 0 in an inserted row.
      .returning(['id', sql<boolean>`xmax = 0`.as('first_start')])
      .executeTakeFirstOrThrow();
    if (made.first_start) await allowLocalTeepod(trx);
    await registerChainKms(trx, made.id, host.chain_kms);
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        action: 'teepod.register_local',
        target_kind: 'teepod',
        target_id: 'local-teepod',
      },
    ]);
    return { pins: pinsOf(kms) };
  });
}

interface ReportedImage {
  name: string;
  version: string;
  is_dev: boolean;
  os_image_hash: string | null;
}

/** Whether the catalog has exactly these images of a host. */
async function areKnown(db: Db, teepod_id: number, images: readonly ReportedImage[]): Promise<boolean> {
  const { rows } = await sql<Omit<ReportedImage, 'is_dev'>>`
    select i.name, i.version, i.os_image_hash from teepod_os_images t join os_images i on i.id = t.os_image_id
    where t.teepod_id = ${teepod_id}`.execute(db);
  const known = new Map(rows.map((row) => [row.name, row]));
  return (
    new Set(images.map(({ name }) => name)).size === known.size &&
    images.every(({ name, version, os_image_hash }) => {
      const has = known.get(name);
      return has?.version === version && (os_image_hash === null || has.os_image_hash === os_image_hash);
    })
  );
}

/** Adds the images a host reports to the catalog, and records which host has which. */
export async function syncImages(db: Db, teepod_id: number, reported: ReportedImage[]): Promise<void> {
  const images = reported.slice(0, MAX_IMAGES);
  // Usually nothing has changed. Only one host at a time can change the catalog.
  if (await areKnown(db, teepod_id, images)) return;
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('sync_images'))`.execute(trx);
    const known = await knownDigests(trx, teepod_id, images);
    const ids: number[] = [];
    const differing: OtherDigest[] = [];
    for (const image of images) {
      const other = known.get(image.name);
      if (other && image.os_image_hash !== null && other.os_image_hash !== image.os_image_hash) {
        differing.push({ ...other, reported: image.os_image_hash });
        continue;
      }
      const row = await trx
        .insertInto('os_images')
        .values({
          ...image,
          os_image_hash_source: image.os_image_hash === null ? null : 'host',
          slug: `${image.name}-${(image.os_image_hash ?? '00000000').slice(0, 8)}`,
          requires_gpu: image.name.includes('nvidia'),
        })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({
            // The first report by another host stays, because its teams rely on it.
            version: sql<string>`case when exists (select 1 from teepod_os_images o where o.os_image_id = os_images.id
              and o.teepod_id <> ${teepod_id}) then os_images.version else excluded.version end`,
            // A host that reports no digest doesn't clear one another host reported.
            os_image_hash: sql<string | null>`coalesce(excluded.os_image_hash, os_images.os_image_hash)`,
            os_image_hash_source: sql`case when excluded.os_image_hash is distinct from os_images.os_image_hash
              and excluded.os_image_hash is not null then 'host' else os_images.os_image_hash_source end`,
          }),
        )
        .returning('id')
        .executeTakeFirstOrThrow();
      ids.push(row.id);
    }
    await trx.deleteFrom('teepod_os_images').where('teepod_id', '=', teepod_id).execute();
    if (ids.length > 0)
      await trx
        .insertInto('teepod_os_images')
        .values(ids.map((os_image_id) => ({ teepod_id, os_image_id })))
        .execute();
    if (differing.length > 0) await noteOtherDigests(trx, teepod_id, differing);
    await forgetImages(trx);
  });
}

export interface StoredOfHost {
  /** Whether the catalog has an image of the host. */
  has_images: boolean;
  has_duplicates: boolean;
  /** Whether any given-up VM may still hold ports or GPUs of the host. */
  has_given_up: boolean;
  /** Whether its images, capacity and gateway are to be read again. */
  facts_due: boolean;
}

/** Stored facts about a row of `teepods`, for statements that return more of it. */
export const STORED_OF_HOST = [
  sql<boolean>`exists (select from teepod_os_images where teepod_id = teepods.id)`.as('has_images'),
  sql<boolean>`exists (select from duplicate_vms where teepod_id = teepods.id)`.as('has_duplicates'),
  sql<boolean>`exists (select from given_up_vms where teepod_id = teepods.id and released_at is null)`.as(
    'has_given_up',
  ),
  FACTS_DUE,
] as const;

/** Images read per host. */
const MAX_IMAGES = 500;
/** Images kept in the catalog although no host has them. */
const MAX_ABSENT_IMAGES = 500;

/**
 * A host may report other names whenever it comes back. Of the images on no host, the oldest are forgotten,
 * except those named by a CVM, a provision or an announcement, and those with a decision by an administrator or
 * evidence.
 */
const forgetImages = (trx: Tx) =>
  sql`delete from os_images where id in (
    select i.id from os_images i
    where i.state = 'active' and i.os_image_hash_source is distinct from 'administrator'
      and i.os_image_hash_source is distinct from 'evidence'
      and not exists (select from teepod_os_images t where t.os_image_id = i.id)
      and not exists (select from announcements a where a.os_image_id = i.id)
      and not exists (select from provisions p where p.os_image = i.name and p.expires_at > now())
      and not exists (select from cvms c where c.os_image = i.name)
    order by i.id desc offset ${MAX_ABSENT_IMAGES}
  )`.execute(trx);

interface KnownDigest {
  id: number;
  name: string;
  os_image_hash: string;
}

/**
 * Returns the digests of these images from other sources, which this host can't change. Those that only other hosts
 * reported don't bind the built-in teepod, whose images are this server's own.
 */
async function knownDigests(
  trx: Tx,
  teepod_id: number,
  images: readonly { name: string }[],
): Promise<Map<string, KnownDigest>> {
  const { rows } = await sql<KnownDigest>`select i.id, i.name, i.os_image_hash from os_images i
    where i.name = any(${images.map(({ name }) => name)}::text[]) and i.os_image_hash is not null
      and (i.os_image_hash_source in ('evidence', 'administrator')
        or exists (select from teepod_os_images x where x.os_image_id = i.id and x.teepod_id <> ${teepod_id}
          and not exists (select from teepods own where own.id = ${teepod_id} and own.kind = 'local')))`.execute(
    trx,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Audit entries about one host's digests per day; a host may come back with others at any time. */
const MAX_DIGEST_NOTES = 20;

interface OtherDigest extends KnownDigest {
  reported: string;
}

/**
 * Guests are judged by the digest: a different one means a different image, so nothing is placed on the host by
 * this image name.
 */
async function noteOtherDigests(
  trx: Tx,
  teepod_id: number,
  differing: readonly OtherDigest[],
): Promise<void> {
  const { rows } = await sql<{ target_id: string; reported: string }>`
    select target_id, after ->> 'os_image_hash' as reported from audit_log
    where action = 'os_image.digest_differs' and at > now() - interval '1 day'
      and after ->> 'teepod_id' = ${String(teepod_id)} limit ${MAX_DIGEST_NOTES}`.execute(trx);
  const noted = new Set(rows.map(({ target_id, reported }) => `${target_id} ${reported}`));
  const fresh = differing.filter(({ id, reported }) => !noted.has(`${id} ${reported}`));
  await appendAudit(
    trx,
    fresh.slice(0, MAX_DIGEST_NOTES - rows.length).map(({ id, name, os_image_hash, reported }) => ({
      actor_kind: 'system' as const,
      action: 'os_image.digest_differs',
      target_kind: 'os_image',
      target_id: String(id),
      before: { name, os_image_hash },
      after: { teepod_id, os_image_hash: reported },
    })),
  );
}

export async function publicHostFacts(db: Db): Promise<HostFacts> {
  const { rows } = await sql<HostFacts>`
    select exists (select from teepods where kind = 'dstack_vmm') as has_hardware,
      ${OPEN_TO_NEW_TEAMS} as is_open`.execute(db);
  return rows[0] ?? { has_hardware: false, is_open: false };
}
