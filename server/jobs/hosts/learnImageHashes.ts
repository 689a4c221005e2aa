import { cvmsOfUnknownImages, learnImageHash } from '../../db/catalog/imageHashes';
import { guestEvidence } from '../../domain/attestation/guestEvidence';
import { measuredImageHash } from '../../domain/attestation/measuredImage';
import type { VmmRegistry } from '../../drivers/vmm';
import { completeEvidence, type CollateralWorld } from './collateral';

const ANSWER_MS = 5_000;
const AT_ONCE = 5;

export interface LearningWorld extends CollateralWorld {
  readonly vmm: VmmRegistry;
}

/**
 * Real hosts don't report the hashes of their OS images. One that a quote proves is taken from the first CVM of each
 * image; a known hash never changes this way.
 */
export async function learnImageHashes(world: LearningWorld, roots?: readonly string[]): Promise<void> {
  for (const row of await cvmsOfUnknownImages(world.db, AT_ONCE)) {
    const { cvm, app, revision, teepod, node, kms } = row;
    if (cvm.host_vm_id === null) continue;
    const guest = await world.vmm
      .get(teepod)
      .guest.info(cvm.host_vm_id, { signal: AbortSignal.timeout(ANSWER_MS) })
      .catch(() => null);
    if (guest === null) continue;
    const given = guestEvidence(guest, {
      app_compose: revision.app_compose,
      local: false,
      public_tcbinfo: cvm.public_tcbinfo,
    });
    // Stored evidence is bounded: it must not displace evidence with a quote.
    if (given.evidence.quote === undefined) continue;
    const { evidence } = await completeEvidence(world, cvm, given);
    const os_image_hash = await measuredImageHash(
      { evidence, certificate_chain: given.certificate_chain },
      {
        expected: {
          app_id: app.app_id,
          compose_hash: revision.compose_hash,
          instance_id: cvm.instance_id,
          device_ids: node.device_id === null ? [] : [node.device_id],
          key_provider_ids: kms?.ca_pubkey ? [kms.ca_pubkey] : [],
        },
        now: Math.floor(Date.now() / 1000),
        roots,
      },
    );
    if (os_image_hash === null) continue;
    const isNew = await learnImageHash(world.db, {
      name: cvm.os_image,
      os_image_hash,
      cvm: cvm.public_id,
    });
    if (isNew) world.log.info({ image: cvm.os_image, os_image_hash }, 'the hash of an OS image was learned');
  }
}
