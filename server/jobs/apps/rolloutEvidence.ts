import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { listKnownImages, partsGivenBefore } from '../../db/attestation/evidence';
import { guestEvidence, type GuestWords } from '../../domain/attestation/guestEvidence';
import { judgeRolloutEvidence, type EvidenceVerdict } from '../../domain/apps/rolloutEvidence';
import { completeEvidence } from '../hosts/collateral';
import type { RolloutWorld } from './rollouts';

const MAX_IMAGES = 200;

/** Verifies an updated CVM's evidence against the rollout's target, and stores the evidence. */
export async function evidenceVerdict(
  world: RolloutWorld,
  { cvm, app, revision, teepod, node, kms }: JoinedCvm,
  guest: GuestWords,
): Promise<EvidenceVerdict> {
  const key = { team_id: cvm.team_id, cvm_id: cvm.id };
  const local = teepod.kind === 'local';
  const given = guestEvidence(guest, {
    app_compose: revision.app_compose,
    local,
    public_tcbinfo: cvm.public_tcbinfo,
  });
  const given_before = local
    ? []
    : (await partsGivenBefore(world.db, key)).filter(
        // Many guests publish it only together with the measurements, which the owner may hide.
        (part) => part !== 'vm_config' || cvm.public_tcbinfo,
      );
  const isLess = given_before.some((part) => given.evidence[part] === undefined);
  const [{ evidence, collateral_error }, os_images] = await Promise.all([
    // Stored evidence is bounded: incomplete evidence must not displace the last complete one.
    isLess ? { ...given, collateral_error: null } : completeEvidence(world, cvm, given),
    listKnownImages(world.db, cvm.os_image, MAX_IMAGES),
  ]);
  return judgeRolloutEvidence(
    {
      evidence,
      certificate_chain: given.certificate_chain,
      gaps: collateral_error === null ? given.gaps : [...given.gaps, collateral_error],
    },
    {
      local,
      given_before,
      now: Math.floor(Date.now() / 1000),
      expected: {
        app_id: app.app_id,
        compose_hash: revision.compose_hash,
        instance_id: cvm.instance_id,
        device_ids: node.device_id === null ? [] : [node.device_id],
        os_images: os_images.map(({ os_image_hash, is_dev }) => ({ os_image_hash, is_dev })),
        key_provider_ids: kms?.ca_pubkey ? [kms.ca_pubkey] : [],
      },
    },
  );
}
