import { createHash } from 'node:crypto';
import type { Evidence, PublicEvidence } from '../../../generated/api/types.gen';
import { listKnownImages } from '../../db/attestation/evidence';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { isUnpublishedCompose } from '../../db/public/publicApps';
import { trustOfHost } from '../../domain/public/publicAppResponse';
import { collectEvidence, type EvidenceWorld } from '../attestation/collect';
import { expectedEvidence } from '../attestation/expectedEvidence';

/** The API's limit. */
const MAX_IMAGES = 200;

/**
 * Omits the reason a guest doesn't respond, which can name hosts. Evidence of a version that was never published,
 * booted by the guest or stored while the CVM was private, contains that version's file, so it is omitted
 * entirely.
 */
export async function publicEvidence(world: EvidenceWorld, row: JoinedCvm): Promise<PublicEvidence> {
  const { cvm, teepod } = row;
  const [collected, os_images] = await Promise.all([
    collectEvidence(world, row),
    listKnownImages(world.db, cvm.os_image, MAX_IMAGES),
  ]);
  const { is_online } = collected;
  const { source, collected_at, evidence, certificate_chain } = (await isPrivate(world, row, collected))
    ? NOTHING
    : collected;
  return {
    vm_uuid: cvm.vm_uuid,
    name: cvm.name,
    trust: trustOfHost(teepod),
    is_online,
    source,
    collected_at: collected_at?.toISOString() ?? null,
    evidence,
    certificate_chain,
    expected: expectedEvidence(row, os_images),
  };
}

const NOTHING = { source: null, collected_at: null, evidence: null, certificate_chain: null };

async function isPrivate(
  { db }: EvidenceWorld,
  { cvm }: JoinedCvm,
  { evidence }: { evidence: Evidence | null },
): Promise<boolean> {
  const app_compose = evidence?.app_compose;
  if (app_compose === undefined) return false;
  const compose_hash = createHash('sha256').update(app_compose, 'utf8').digest('hex');
  return isUnpublishedCompose(db, cvm.app_id, compose_hash);
}
