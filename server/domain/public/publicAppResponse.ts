import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { isPinned } from '../../../console/lib/compose/service';
import { visibleText } from '../../../console/lib/public/visibleText';
import type { PublicApp, PublicAppDetail, PublicTrust } from '../../../generated/api/types.gen';

/** An app's public fields. Named explicitly, so that a new column is never published without a decision. */

/** An app with at least one CVM that its team publishes. */
export interface PublicAppFields {
  app_id: string;
  name: string;
  team_name: string;
  created_at: Date;
  changed_at: Date;
  cvm_count: number;
  running_count: number;
  /** Whether all its published CVMs run on the built-in host. */
  is_simulated: boolean;
}

interface CvmFields {
  cvm: {
    vm_uuid: string;
    name: string;
    status: string;
    os_image: string;
    public_logs: boolean;
    started_at: Date | null;
  };
  revision: { compose_hash: string; docker_compose_file: string };
  teepod: { kind: string };
  kms: { slug: string; type: string; chain_id: number | null; kms_contract_address: string | null } | null;
}

interface RevisionFields {
  number: number;
  compose_hash: string;
  os_image: string | null;
  created_at: Date;
  live_at: Date | null;
  changed_from: number | null;
}

interface OwnerChangeFields {
  owner: string;
  tx_hash: string;
  at: Date;
}

export const trustOf = (is_simulated: boolean): PublicTrust => (is_simulated ? 'simulated' : 'hardware');
export const trustOfHost = ({ kind }: { kind: string }): PublicTrust => trustOf(kind === 'local');

export const publicAppOut = (app: PublicAppFields): PublicApp => ({
  app_id: app.app_id,
  name: visibleText(app.name),
  team_name: visibleText(app.team_name),
  trust: trustOf(app.is_simulated),
  cvm_count: app.cvm_count,
  running_count: app.running_count,
  created_at: app.created_at.toISOString(),
  changed_at: app.changed_at.toISOString(),
});

const MAX_SERVICES = 100;

/**
 * `cvms` holds at least one; the first one's Compose file is shown. `services` is null if it can't be read now.
 */
export function publicAppDetailOut(
  app: PublicAppFields,
  cvms: readonly [CvmFields, ...CvmFields[]],
  services: readonly { name: string; image: string | null; has_egress: boolean }[] | null,
  revisions: readonly RevisionFields[],
  owner_changes: readonly OwnerChangeFields[],
): PublicAppDetail {
  const [{ revision, kms }] = cvms;
  return {
    app_id: app.app_id,
    name: visibleText(app.name),
    team_name: visibleText(app.team_name),
    trust: trustOf(app.is_simulated),
    created_at: app.created_at.toISOString(),
    compose_file: revision.docker_compose_file,
    compose_hash: revision.compose_hash,
    services:
      services === null
        ? null
        : services.slice(0, MAX_SERVICES).map(({ name, image, has_egress }) => ({
            name: visibleText(cutWhole(name, 256)),
            image: image === null ? null : visibleText(cutWhole(image, 1000)),
            has_digest: image !== null && isPinned(image),
            has_egress,
          })),
    cvms: cvms.map(({ cvm, revision: its, teepod }) => ({
      vm_uuid: cvm.vm_uuid,
      name: cvm.name,
      is_running: cvm.status === 'running',
      trust: trustOfHost(teepod),
      os_image: cvm.os_image,
      compose_hash: its.compose_hash,
      public_logs: cvm.public_logs,
      started_at: cvm.started_at?.toISOString() ?? null,
    })),
    kms: kms && {
      slug: kms.slug,
      type: kms.type,
      chain_id: kms.chain_id,
      contract_address: kms.kms_contract_address,
    },
    revisions: revisions.map((one) => ({
      number: one.number,
      compose_hash: one.compose_hash,
      os_image: one.os_image,
      created_at: one.created_at.toISOString(),
      live_at: one.live_at?.toISOString() ?? null,
      changed_from: one.changed_from,
    })),
    owner_changes: owner_changes.map(({ owner, tx_hash, at }) => ({ owner, tx_hash, at: at.toISOString() })),
  };
}
