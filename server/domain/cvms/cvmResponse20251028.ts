import type {
  App,
  AppFull20251028,
  CvmBasic20251028,
  CvmDetail,
  CvmDetail20251028,
  CvmListItem20251028,
  CvmStatus,
  KmsType,
  MachineInfo20251028,
} from '../../../generated/api/types.gen';
import type { ListedCvm } from './cvmResponse';

/** That version has no `lost`. */
const olderStatus = (status: CvmStatus): CvmStatus => (status === 'lost' ? 'error' : status);

/**
 * getCvm in the shape of version 2025-10-28: `id` is a number, sizes are MB and GB, log and KMS addresses are
 * flat.
 */
export function cvmDetail20251028(cvm: CvmDetail): CvmDetail20251028 {
  return {
    id: cvm.numeric_id,
    name: cvm.name,
    status: olderStatus(cvm.status),
    in_progress: cvm.in_progress,
    teepod_id: cvm.teepod?.id ?? null,
    teepod: cvm.teepod,
    app_id: cvm.app_id ?? '',
    vm_uuid: cvm.vm_uuid,
    instance_id: cvm.instance_id,
    ...size(cvm),
    base_image: cvm.os?.name ?? null,
    encrypted_env_pubkey: cvm.kms_info?.encrypted_env_pubkey ?? null,
    listed: cvm.listed,
    project_id: null,
    project_type: null,
    instance_type: cvm.instance_type,
    public_sysinfo: cvm.public_sysinfo,
    public_logs: cvm.public_logs,
    dapp_dashboard_url: null,
    syslog_endpoint: cvm.logs.syslog_endpoint,
    kms_info: cvm.kms,
    contract_address: cvm.kms_info?.dstack_app_address ?? null,
    deployer_address: cvm.kms_info?.deployer_address ?? null,
    scheduled_delete_at: cvm.scheduled_delete_at,
    public_urls: cvm.public_urls,
    gateway_domain: cvm.gateway.base_domain,
    machine_info: machine(cvm),
    updated_at: cvm.updated_at,
  };
}

/** One CVM of a list. Lists carry no log addresses in either version: `syslog_endpoint` is in the detail. */
export function cvmListItem20251028(cvm: ListedCvm): CvmListItem20251028 {
  return {
    hosted: {
      id: cvm.vm_uuid ?? '',
      name: cvm.name,
      status: olderStatus(cvm.status),
      uptime: cvm.uptime ?? '0s',
      app_url: cvm.public_urls[0]?.app ?? null,
      app_id: cvm.app_id ?? '',
      instance_id: cvm.instance_id,
      exited_at: cvm.exited_at,
      boot_progress: cvm.boot_progress,
      boot_error: cvm.boot_error,
      shutdown_progress: cvm.shutdown_progress,
      image_version: cvm.os?.version ?? null,
    },
    name: cvm.name,
    managed_user:
      cvm.creator_number === null ? null : { id: cvm.creator_number, username: cvm.creator?.username ?? '' },
    node: cvm.teepod,
    listed: cvm.listed,
    status: olderStatus(cvm.status),
    in_progress: cvm.in_progress,
    dapp_dashboard_url: null,
    syslog_endpoint: null,
    allow_upgrade: !cvm.in_progress,
    project_id: null,
    project_type: null,
    billing_period: cvm.resource.billing_period,
    kms_info: cvm.kms,
    ...size(cvm),
    gateway_domain: cvm.gateway.base_domain,
    public_urls: cvm.public_urls,
    machine_info: machine(cvm),
    updated_at: cvm.updated_at,
  };
}

/** An app with its CVMs in that version's short form. */
export function app20251028(app: WideApp): AppFull20251028 {
  return {
    id: app.id,
    name: app.name,
    app_id: app.app_id,
    created_at: app.created_at,
    kms_type: app.kms_type,
    app_provision_type: app.app_provision_type,
    app_icon_url: app.app_icon_url,
    profile: app.profile,
    current_cvm: app.current_cvm && basic(app.current_cvm, app.kms_type),
    cvms: app.cvms.map((cvm) => basic(cvm, app.kms_type)),
    cvm_count: app.cvm_count,
  };
}

/** The CVMs carry their KMS here, unlike in the current wire format. */
export type WideApp = Omit<App, 'current_cvm' | 'cvms'> & {
  current_cvm: ListedCvm | null;
  cvms: ListedCvm[];
};

function basic(cvm: ListedCvm, kms_type: KmsType): CvmBasic20251028 {
  return {
    vm_uuid: cvm.vm_uuid,
    app_id: cvm.app_id,
    name: cvm.name,
    status: olderStatus(cvm.status),
    ...size(cvm),
    teepod_id: cvm.teepod?.id ?? 0,
    teepod_name: cvm.teepod?.name ?? '',
    region_identifier: cvm.teepod?.region_identifier ?? null,
    kms_type,
    instance_type: cvm.instance_type,
    listed: cvm.listed,
    base_image: cvm.os?.name ?? null,
    kms_slug: cvm.kms?.slug ?? null,
    kms_id: cvm.kms?.id ?? null,
    instance_id: cvm.instance_id,
    machine_info: machine(cvm),
    updated_at: cvm.updated_at,
  };
}

/** vCPU, memory in MB and disk in GB. */
const size = ({ resource }: Pick<ListedCvm, 'resource'>) => ({
  vcpu: resource.vcpu ?? 0,
  memory: Math.round((resource.memory_in_gb ?? 0) * 1024),
  disk_size: resource.disk_in_gb ?? 0,
});

const machine = (cvm: Pick<ListedCvm, 'resource'>): MachineInfo20251028 => ({
  ...size(cvm),
  gpu_count: cvm.resource.gpus ?? 0,
});
