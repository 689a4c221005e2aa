import { cvmsOfUnknownImages, learnImageHash } from '../../db/catalog/imageHashes';
import { guestEvidence } from '../../domain/attestation/guestEvidence';
import { measuredImageHash } from '../../domain/attestation/measuredImage';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import type { VmmRegistry } from '../../drivers/vmm';
import { completeEvidence, type CollateralWorld } from './collateral';
import type { HostShards, Tenure } from './hostShards';

const ANSWER_MS = 5_000;
const BATCH_SIZE = 5;

export interface LearningWorld extends CollateralWorld {
  readonly vmm: VmmRegistry;
  readonly hosts: HostShards;
}

/**
 * Learns OS image hashes, which real hosts don't report. A hash proved by a quote is taken from the first CVM
 * of each image; known hashes never change this way.
 */
export async function learnImageHashes(world: LearningWorld, roots?: readonly string[]): Promise<void> {
  const shards = await world.hosts.own();
  for (const row of await cvmsOfUnknownImages(world.db, shards, BATCH_SIZE))
    await world.hosts.visit(row.teepod.id, (tenure) => learnFrom(world, row, tenure, roots));
}

async function learnFrom(
  world: LearningWorld,
  { cvm, app, revision, teepod, node, kms }: JoinedCvm,
  tenure: Tenure,
  roots?: readonly string[],
): Promise<void> {
  if (cvm.host_vm_id === null) return;
  const signal = AbortSignal.any([tenure.signal, AbortSignal.timeout(ANSWER_MS)]);
  const guest = await world.vmm
    .get(teepod)
    .guest.info(cvm.host_vm_id, { signal })
    .catch(() => null);
  tenure.check();
  if (guest === null) return;
  const given = guestEvidence(guest, {
    app_compose: revision.app_compose,
    local: false,
    public_tcbinfo: cvm.public_tcbinfo,
  });
  // Stored evidence is bounded: it must not displace evidence with a quote.
  if (given.evidence.quote === undefined) return;
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
  if (os_image_hash === null) return;
  const isNew = await learnImageHash(world.db, {
    name: cvm.os_image,
    os_image_hash,
    cvm: cvm.public_id,
  });
  if (isNew) world.log.info({ image: cvm.os_image, os_image_hash }, "recorded an OS image's hash");
}
