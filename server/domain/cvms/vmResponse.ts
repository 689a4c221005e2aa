import type { CommitCvm, CvmActionResult } from '../../../generated/api/types.gen';
import { composeFacts } from '../apps/composeFacts';
import { publicUrls, type CvmDetailFields, type LiveOperationFields } from './cvmResponse';
import { transitions } from './cvmStates';

/** Returns the flat VM shape, with which start, stop, restart and replicas reply. */
export function toVm(
  row: CvmDetailFields,
  operation: Pick<LiveOperationFields, 'correlation_id' | 'type'>,
): CvmActionResult {
  const { cvm, app, revision, teepod, node } = row;
  const facts = composeFacts(revision);
  return {
    id: cvm.public_id,
    numeric_id: cvm.id,
    name: cvm.name,
    status: transitions[operation.type].during,
    teepod_id: teepod.id,
    teepod: { id: teepod.id, name: teepod.name, region_identifier: node.region, tee: teepod.tee },
    user_id: cvm.created_by,
    app_id: app.app_id,
    vm_uuid: cvm.vm_uuid,
    instance_id: cvm.instance_id,
    app_url: publicUrls(row, facts)[0]?.app ?? null,
    base_image: cvm.os_image,
    vcpu: cvm.vcpu,
    memory: cvm.memory_mb,
    disk_size: cvm.disk_gb,
    manifest_version: facts.manifest_version,
    version: '1.0.0',
    runner: facts.runner,
    docker_compose_file: revision.docker_compose_file,
    features: facts.features,
    created_at: cvm.created_at.toISOString(),
    encrypted_env_pubkey: cvm.env_pubkey,
    correlation_id: operation.correlation_id,
  };
}

/** Like `toVm`, for the reply to createCvm. */
export function toCommitVm(
  row: CvmDetailFields,
  operation: Pick<LiveOperationFields, 'correlation_id' | 'type'>,
): CommitCvm {
  return {
    ...toVm(row, operation),
    app_auth_contract_address: row.kms?.chain_id ? `0x${row.app.app_id}` : null,
    deployer_address: row.app.deployer_address,
  };
}
