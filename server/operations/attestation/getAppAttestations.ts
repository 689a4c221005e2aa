import type { AppAttestationInstance } from '../../../generated/api/types.gen';
import { cvmsToAsk } from '../../db/evidence';
import type { JoinedCvm } from '../../db/cvmRows';
import { guestEvidence } from '../../domain/guestEvidence';
import { certificatesOf, parseTcbInfo } from '../../domain/wire/attestation';
import { kmsOut } from '../../domain/wire/catalogue';
import { appOf } from '../apps/appId';
import { askGuest } from '../cvms/askGuest';
import { teamOf } from '../shared/caller';
import type { Context, Handler } from '../types';

/** The document's bound. */
const MOST = 100;
/** Guests asked at one time. */
const AT_ONCE = 10;
/** For all of them: some hosts may not answer, and the answer must not wait for each in turn. */
const ANSWER_MS = 10_000;

export const getAppAttestations: Handler<'getAppAttestations'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const rows = await cvmsToAsk(ctx.db, { team_id: teamOf(ctx).id, app_id: app.id, limit: MOST });
  const asked = await askAll(ctx, rows);
  const kms = rows[0]?.kms ?? null;
  const shown = kms && kmsOut(kms);
  return {
    status: 200,
    body: {
      app_id: app.app_id,
      // On a chain the app's id is the address of its contract.
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
      instances: asked.map(({ instance }) => instance),
      kms_guest_agent_info: null,
      gateway_guest_agent_info: null,
      qemu_version: asked.find(({ qemu_version }) => qemu_version !== null)?.qemu_version ?? null,
    },
  };
};

interface Asked {
  instance: AppAttestationInstance;
  qemu_version: string | null;
}

async function askAll(ctx: Context, rows: readonly JoinedCvm[]): Promise<Asked[]> {
  const until = Date.now() + ANSWER_MS;
  const found: Asked[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const batch = rows.slice(at, at + AT_ONCE);
    const late = Date.now() > until;
    found.push(
      ...(late
        ? batch.map((row) => unasked(row, `Not asked: other guests took more than ${ANSWER_MS / 1000} s.`))
        : await Promise.all(batch.map((row) => ask(ctx, row)))),
    );
  }
  return found;
}

function unasked({ cvm, os }: JoinedCvm, error: string): Asked {
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
      error: error.slice(0, 2000),
    },
  };
}

async function ask(ctx: Context, row: JoinedCvm): Promise<Asked> {
  const { cvm, node, revision, teepod } = row;
  const { value, error } = await askGuest(ctx, row, (guest, id, options) => guest.info(id, options));
  if (value === null) return unasked(row, error);
  const { evidence, gaps } = guestEvidence(value, {
    app_compose: revision.app_compose,
    local: teepod.kind === 'local',
    public_tcbinfo: cvm.public_tcbinfo,
  });
  const tcb_info = parseTcbInfo(value.tcb_info);
  const none = unasked(row, '');
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
