import { createHash } from 'node:crypto';

/** What a person edits of a CVM. Two who edit it at once must hear of each other in exactly these. */
export interface EditedCvm {
  cvm: {
    name: string;
    vcpu: number;
    memory_mb: number;
    disk_gb: number;
    os_image: string;
    listed: boolean;
    public_logs: boolean;
    public_sysinfo: boolean;
    public_tcbinfo: boolean;
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

interface Edited {
  /** As requests call it. */
  field: string;
  value: (row: EditedCvm) => unknown;
  /** Texts and ciphertext do not go into an error: it says where to read them instead. */
  text?: true;
}

/** Add at the end, so that versions given out before stay readable. */
const EDITED: readonly Edited[] = [
  { field: 'docker_compose_file', value: ({ revision }) => revision.docker_compose_file, text: true },
  { field: 'pre_launch_script', value: ({ revision }) => revision.pre_launch_script, text: true },
  { field: 'allowed_envs', value: ({ revision }) => revision.allowed_envs },
  { field: 'encrypted_env', value: ({ cvm }) => cvm.encrypted_env, text: true },
  { field: 'name', value: ({ cvm }) => cvm.name },
  { field: 'vcpu', value: ({ cvm }) => cvm.vcpu },
  { field: 'memory', value: ({ cvm }) => cvm.memory_mb },
  { field: 'disk_size', value: ({ cvm }) => cvm.disk_gb },
  { field: 'image', value: ({ cvm }) => cvm.os_image },
  { field: 'public_logs', value: ({ cvm }) => cvm.public_logs },
  { field: 'public_sysinfo', value: ({ cvm }) => cvm.public_sysinfo },
  { field: 'public_tcbinfo', value: ({ cvm }) => cvm.public_tcbinfo },
  { field: 'listed', value: ({ cvm }) => cvm.listed },
];

const LENGTH = 6;
const digest = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64url')
    .slice(0, LENGTH);

const digests = (row: EditedCvm) => EDITED.map(({ value }) => digest(value(row)));

/**
 * The version of a CVM for `ETag` and `If-Match`: a digest of each edited field, so that a stale one tells which fields
 * have changed since, and the time of the last change of anything, so that no cache takes two states for one.
 */
export const cvmEtag = (row: EditedCvm): string =>
  `"c1.${digests(row).join('')}.${row.cvm.updated_at.getTime().toString(36)}"`;

export interface FieldChange {
  field: string;
  value: unknown;
}

/**
 * What has changed since the version in an If-Match header; empty when none of the edited fields has (whatever else did:
 * a status is nobody's edit). Of several versions the one with the fewest changes counts. Null for one that is no
 * version of a CVM.
 */
export function changedSince(row: EditedCvm, header: string): FieldChange[] | null {
  if (header.trim() === '*') return [];
  const now = digests(row);
  const found = header.split(',').flatMap((tag) => {
    const [, parts] = /^"c1\.([\w-]+)\.[0-9a-z]+"$/.exec(tag.trim()) ?? [];
    if (parts === undefined || parts.length % LENGTH !== 0 || parts.length === 0) return [];
    return [
      EDITED.filter((_, i) => {
        const then = parts.slice(i * LENGTH, (i + 1) * LENGTH);
        // A version from before the field was edited at all says nothing of it.
        return then !== '' && then !== now[i];
      }),
    ];
  });
  const [fewest] = found.toSorted((a, b) => a.length - b.length);
  if (!fewest) return null;
  const { public_id, number } = row.revision;
  return fewest.map(({ field, value, text }) => ({
    field,
    value:
      text === undefined
        ? value(row)
        : field === 'encrypted_env'
          ? 'replaced'
          : { revision_id: public_id, revision_number: number },
  }));
}
