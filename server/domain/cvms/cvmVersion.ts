import { defineVersion, type FieldChange } from '../core/version';

/** The CVM fields that forms edit. */
export interface EditedCvm {
  cvm: {
    name: string;
    vcpu: number;
    memory_mb: number;
    disk_gb: number;
    instance_type: string | null;
    os_image: string;
    listed: boolean;
    public_logs: boolean;
    public_sysinfo: boolean;
    public_tcbinfo: boolean;
    protected: boolean;
    movable: boolean;
    scheduled_stop_at: Date | null;
    scheduled_delete_at: Date | null;
    encrypted_env: string | null;
    updated_at: Date;
  };
  revision: {
    public_id: string;
    number: number;
    docker_compose_file: string;
    pre_launch_script: string | null;
    allowed_envs: readonly string[];
  };
}

/** Texts are too long for an error, so it names the revision that has them. */
const revisionOf = ({ revision }: EditedCvm) => ({
  revision_id: revision.public_id,
  revision_number: revision.number,
});

const version = defineVersion<EditedCvm>('c1', [
  { field: 'docker_compose_file', value: ({ revision }) => revision.docker_compose_file, report: revisionOf },
  { field: 'pre_launch_script', value: ({ revision }) => revision.pre_launch_script, report: revisionOf },
  { field: 'allowed_envs', value: ({ revision }) => revision.allowed_envs },
  { field: 'encrypted_env', value: ({ cvm }) => cvm.encrypted_env, report: () => 'replaced' },
  { field: 'name', value: ({ cvm }) => cvm.name },
  { field: 'vcpu', value: ({ cvm }) => cvm.vcpu },
  { field: 'memory', value: ({ cvm }) => cvm.memory_mb },
  { field: 'disk_size', value: ({ cvm }) => cvm.disk_gb },
  { field: 'image', value: ({ cvm }) => cvm.os_image },
  { field: 'public_logs', value: ({ cvm }) => cvm.public_logs },
  { field: 'public_sysinfo', value: ({ cvm }) => cvm.public_sysinfo },
  { field: 'public_tcbinfo', value: ({ cvm }) => cvm.public_tcbinfo },
  { field: 'listed', value: ({ cvm }) => cvm.listed },
  { field: 'instance_type', value: ({ cvm }) => cvm.instance_type },
  { field: 'protected', value: ({ cvm }) => cvm.protected },
  { field: 'movable', value: ({ cvm }) => cvm.movable },
  { field: 'scheduled_stop_at', value: ({ cvm }) => cvm.scheduled_stop_at },
  { field: 'scheduled_delete_at', value: ({ cvm }) => cvm.scheduled_delete_at },
]);

/**
 * The version of a CVM for `ETag` and `If-Match`; also covers the time of the last change of anything, such
 * as a status.
 */
export const cvmEtag = (row: EditedCvm): string => version.etag(row, row.cvm.updated_at);

/** Returns the edited fields changed since the version in an If-Match header; see `Version`. */
export const changedSince = (row: EditedCvm, header: string): FieldChange[] | null =>
  version.changedSince(row, header);
