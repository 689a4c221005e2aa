import { z } from 'zod';
import { appendAudit } from '../../db/audit/auditLog';
import { withTransaction, type Db } from '../../db/core/client';
import { noteFactsRead } from '../../db/hosts/hostFacts';
import { syncImages } from '../../db/hosts/hosts';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { gatewayBase } from '../../domain/network/gatewayBase';
import type { VmmDriver, VmmMeta } from '../../drivers/vmm';

const metadata = z.object({ os_image_hash: z.string().optional(), rootfs_hash: z.string().optional() });

/**
 * Reads the rarely changing facts of a host: its gateway's domain, its capacity, its images. Each is read even
 * if the others fail.
 */
export async function syncTeepod(db: Db, driver: VmmDriver, teepod: TeepodRow): Promise<void> {
  // Hosts without an image folder refuse to list images.
  const results = await Promise.allSettled([syncMeta(db, driver, teepod), syncImageList(db, driver, teepod)]);
  // Even if one failed: a host that can't answer isn't asked in each round.
  await noteFactsRead(db, teepod.id);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function syncImageList(db: Db, driver: VmmDriver, teepod: TeepodRow): Promise<void> {
  const images = await driver.listImages();
  await syncImages(
    db,
    teepod.id,
    images.map((image) => ({
      name: image.name,
      version: image.version,
      is_dev: image.is_dev,
      os_image_hash: hashOf(image.description),
    })),
  );
}

async function syncMeta(db: Db, driver: VmmDriver, teepod: TeepodRow): Promise<void> {
  const meta = await driver.getMeta();
  const said = meta.resources;
  const capacity = {
    host_cvms: said?.max_cvm_number ?? null,
    host_vcpu: said?.max_allocable_vcpu ?? null,
    host_memory_mb: said?.max_allocable_memory_in_mb ?? null,
  };
  if (
    capacity.host_cvms !== teepod.host_cvms ||
    capacity.host_vcpu !== teepod.host_vcpu ||
    capacity.host_memory_mb !== teepod.host_memory_mb
  )
    await db.updateTable('teepods').set(capacity).where('id', '=', teepod.id).execute();
  if (said && teepod.host_cvms === null) await learnCapacity(db, teepod, said);
  const base = gatewayBase(meta.gateway);
  if (base && base !== teepod.gateway_base_domain && teepod.kind !== 'local') {
    await db.updateTable('teepods').set({ gateway_base_domain: base }).where('id', '=', teepod.id).execute();
  }
}

/**
 * Learns a host's capacity: one that didn't respond when it was added was stored without, unless an
 * administrator entered it.
 */
async function learnCapacity(
  db: Db,
  teepod: TeepodRow,
  said: NonNullable<VmmMeta['resources']>,
): Promise<void> {
  const learned = {
    ...(teepod.max_cvms === 0 ? { max_cvms: said.max_cvm_number } : {}),
    ...(teepod.max_vcpu === 0 ? { max_vcpu: said.max_allocable_vcpu } : {}),
    ...(teepod.max_memory_mb === 0 ? { max_memory_mb: said.max_allocable_memory_in_mb } : {}),
  };
  if (Object.values(learned).every((value) => value === 0)) return;
  await withTransaction(db, async (trx) => {
    await trx
      .updateTable('teepods')
      .set({ ...learned, updated_at: new Date() })
      .where('id', '=', teepod.id)
      .execute();
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        action: 'teepod.learn_capacity',
        target_kind: 'teepod',
        target_id: String(teepod.id),
        after: learned,
      },
    ]);
  });
}

/** An image's description is its metadata as JSON text. Old ones have no hash. */
function hashOf(description: string): string | null {
  try {
    const parsed = metadata.safeParse(JSON.parse(description));
    const hash = parsed.success ? parsed.data.os_image_hash : undefined;
    return hash && /^[0-9a-f]{64}$/i.test(hash) ? hash.toLowerCase() : null;
  } catch {
    return null;
  }
}
