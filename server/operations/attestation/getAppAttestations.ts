import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { AppAttestationInstance } from '../../../generated/api/types.gen';
import { cvmsToAsk } from '../../db/attestation/evidence';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { guestEvidence } from '../../domain/attestation/guestEvidence';
import { certificatesOf, parseTcbInfo } from '../../domain/attestation/attestationResponse';
import { kmsOut } from '../../domain/catalog/catalogResponse';
import { appOf } from '../apps/appId';
import { askGuest } from '../cvms/askGuest';
import { teamOf } from '../core/caller';
import type { Context, Handler } from '../types';

/** The API's limit. */
const MAX_CVMS = 100;
/** Guests queried concurrently. */
const MAX_CONCURRENT = 10;
/**
 * Deadline for all guests together: some hosts may not respond, and the reply must not wait for each in
 * turn.
 */
const ANSWER_MS = 10_000;

export const getAppAttestations: Handler<'getAppAttestations'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const rows = await cvmsToAsk(ctx.db, { team_id: teamOf(ctx).id, app_id: app.id, limit: MAX_CVMS });
  const queried = await queryAll(ctx, rows);
  const kms = rows[0]?.kms ?? null;
  const shown = kms && kmsOut(kms);
  return {
    status: 200,
    body: {
      app_id: app.app_id,
      // On a chain, the app's id is its contract address.
      contract_address: kms?.chain_id ? `0x${app.app_id}` : '',
      kms_info: {
        contract_address: kms?.kms_contract_address ?? '',
        chain_id: kms?.chain_id ? String(kms.chain_id) : null,
        version: kms?.version ?? '',
        url: shown?.url ?? '',
        gateway_app_id: kms?.gateway_app_id ?? null,
        gateway_app_url: '',
        kms_type: kms?.type ?? '',
      },
      instances: queried.map(({ instance }) => instance),
      kms_guest_agent_info: null,
      gateway_guest_agent_info: null,
      qemu_version: queried.find(({ qemu_version }) => qemu_version !== null)?.qemu_version ?? null,
    },
  };
};

interface Queried {
  instance: AppAttestationInstance;
  qemu_version: string | null;
}

async function queryAll(ctx: Context, rows: readonly JoinedCvm[]): Promise<Queried[]> {
  const until = Date.now() + ANSWER_MS;
  const found: Queried[] = [];
  for (let at = 0; at < rows.length; at += MAX_CONCURRENT) {
    const batch = rows.slice(at, at + MAX_CONCURRENT);
    const late = Date.now() > until;
    found.push(
      ...(late
        ? batch.map((row) => notQueried(row, `Skipped: other guests took more than ${ANSWER_MS / 1000} s.`))
        : await Promise.all(batch.map((row) => ask(ctx, row)))),
    );
  }
  return found;
}

function notQueried({ cvm, os }: JoinedCvm, error: string): Queried {
  return {
    qemu_version: null,
    instance: {
      vm_uuid: cvm.vm_uuid,
      name: cvm.name,
      instance_id: cvm.instance_id,
      status: cvm.status,
      image_version: os?.version ?? null,
      quote: null,
      tcb_info: null,
      app_certificates: null,
      compose_file: null,
      error: cutWhole(error, 2000),
    },
  };
}

async function ask(ctx: Context, row: JoinedCvm): Promise<Queried> {
  const { cvm, node, revision, teepod } = row;
  const { value, error } = await askGuest(ctx, row, (guest, id, options) => guest.info(id, options));
  if (value === null) return notQueried(row, error);
  const { evidence, gaps } = guestEvidence(value, {
    app_compose: revision.app_compose,
    local: teepod.kind === 'local',
    public_tcbinfo: cvm.public_tcbinfo,
  });
  const tcb_info = parseTcbInfo(value.tcb_info);
  const none = notQueried(row, '');
  return {
    qemu_version: qemuVersion(evidence.vm_config),
    instance: {
      ...none.instance,
      quote: evidence.quote ?? null,
      ...(node.ppid === null ? {} : { ppid: node.ppid.slice(0, 64) }),
      ...(node.device_id === null ? {} : { device_id: node.device_id.slice(0, 64) }),
      tcb_info,
      app_certificates: certificatesOf(value.app_cert),
      compose_file: tcb_info && tcb_info.app_compose,
      error: gaps.length > 0 ? gaps.join(' ') : null,
    },
  };
}

function qemuVersion(vm_config: string | undefined): string | null {
  try {
    const { qemu_version } = JSON.parse(vm_config ?? '{}') as { qemu_version?: unknown };
    return typeof qemu_version === 'string' ? qemu_version.slice(0, 64) : null;
  } catch {
    return null;
  }
}
