import type { CvmAttestation } from '../../../generated/api/types.gen';
import { findCvm } from '../../db/cvms/cvmLookup';
import { certificatesOf, parseTcbInfo } from '../../domain/attestation/attestationResponse';
import { trustOf } from '../../domain/cvms/cvmResponse';
import { teamOf } from '../core/caller';
import { noteRead } from '../core/staffRead';
import type { Handler } from '../types';
import { askGuest } from './askGuest';

export const getCvmAttestation: Handler<'getCvmAttestation'> = async ({ path, ctx }) => {
  const row = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await noteRead(ctx, row.cvm, 'compose');
  const { value, error } = await askGuest(ctx, row, (guest, id, options) => guest.info(id, options));
  const tcb_info = value && parseTcbInfo(value.tcb_info);
  const body: CvmAttestation = {
    name: row.cvm.name,
    is_online: value !== null,
    is_public: row.cvm.public_tcbinfo,
    error: value && !tcb_info ? 'The guest returned no measurements (public_tcbinfo may be off).' : error,
    app_certificates: value && certificatesOf(value.app_cert),
    tcb_info,
    compose_file: tcb_info && tcb_info.app_compose,
    trust: trustOf(row.teepod),
  };
  return { status: 200, body };
};
