import type { PublicEvidence } from '../../../generated/api/types.gen';
import { listKnownImages } from '../../db/attestation/evidence';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { trustOfHost } from '../../domain/public/publicAppResponse';
import { collectEvidence, type EvidenceWorld } from '../attestation/collect';
import { expectedEvidence } from '../attestation/expectedEvidence';

/** The API's limit. */
const MAX_IMAGES = 200;

/** Leaves out why a guest doesn't respond: the reason can name hosts. */
export async function publicEvidence(world: EvidenceWorld, row: JoinedCvm): Promise<PublicEvidence> {
  const { cvm, teepod } = row;
  const [{ is_online, source, collected_at, evidence, certificate_chain }, os_images] = await Promise.all([
    collectEvidence(world, row),
    listKnownImages(world.db, cvm.os_image, MAX_IMAGES),
  ]);
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
