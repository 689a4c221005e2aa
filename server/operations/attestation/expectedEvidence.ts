import type { ExpectedEvidence } from '../../../generated/api/types.gen';
import type { JoinedCvm } from '../../db/cvms/cvmRows';

/** Returns the reference values for a CVM's evidence. `os_images` are the known builds of its OS image. */
export const expectedEvidence = (
  { cvm, app, revision, node, kms }: JoinedCvm,
  os_images: ExpectedEvidence['os_images'],
): ExpectedEvidence => ({
  app_id: app.app_id,
  compose_hash: revision.compose_hash,
  instance_id: cvm.instance_id,
  device_ids: node.device_id === null ? [] : [node.device_id],
  os_image: cvm.os_image,
  os_images,
  key_provider_ids: kms?.ca_pubkey ? [kms.ca_pubkey] : [],
});
