import type { CvmEvidence } from '../../../generated/api/types.gen';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { findCvm } from '../../db/cvms/cvmLookup';
import { listKnownImages } from '../../db/attestation/evidence';
import { readContractOf } from '../../db/kms/kmsContracts';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { certificatesOf } from '../../domain/attestation/attestationResponse';
import { kmsOut } from '../../domain/catalog/catalogResponse';
import { trustOf } from '../../domain/cvms/cvmResponse';
import { pinsOf } from '../../domain/kms/kmsKeys';
import { teamOf } from '../core/caller';
import { noteRead } from '../core/staffRead';
import type { Context, Handler } from '../types';
import { collectEvidence } from './collect';
import { expectedEvidence } from './expectedEvidence';

/** The API's limit. */
const MAX_IMAGES = 200;
const MAX_GATEWAY = 42;

export const getCvmEvidence: Handler<'getCvmEvidence'> = async ({ path, ctx }) => {
  const row = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await noteRead(ctx, row.cvm, 'compose');
  const { cvm, teepod, kms } = row;
  const [{ collected_at, certificate_chain, ...collected }, os_images, gateway_app_id] = await Promise.all([
    collectEvidence(ctx, row),
    listKnownImages(ctx.db, cvm.os_image, MAX_IMAGES),
    kms && gatewayOf(ctx, kms),
  ]);
  const body: CvmEvidence = {
    vm_uuid: cvm.vm_uuid,
    name: cvm.name,
    trust: trustOf(teepod),
    is_public: cvm.public_tcbinfo,
    ...collected,
    collected_at: collected_at?.toISOString() ?? null,
    collateral_source: ctx.collateral?.source ?? null,
    app_certificates: certificate_chain === null ? null : certificatesOf(certificate_chain),
    certificate_chain,
    expected: expectedEvidence(row, os_images),
    kms: kms && {
      ...kmsOut(kms),
      gateway_app_id,
      slug: kms.slug,
      type: kms.type,
      state: kms.state,
      valid_k256_pubkeys: pinsOf(kms),
      ca_pubkey: kms.ca_pubkey,
    },
  };
  return { status: 200, body };
};

/** Returns the gateway app that CVMs get from their KMS: a contract names it itself, whatever is on record here. */
async function gatewayOf({ db }: Context, kms: NonNullable<JoinedCvm['kms']>): Promise<string | null> {
  if (kms.kms_contract_address === null) return kms.gateway_app_id;
  const facts = await readContractOf(db, kms);
  return facts?.gateway_app_id == null ? null : cutWhole(facts.gateway_app_id, MAX_GATEWAY);
}
