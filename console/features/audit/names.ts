import type { AuditEntry } from '../../../generated/api/types.gen';
import { ownValue } from '../../lib/ownValue';
import { capitalized } from '../../lib/texts/capitalized';
import { shortId } from '../../ui/data/truncate';

const KINDS: Record<AuditEntry['actor']['kind'], string> = {
  user: 'User',
  token: 'API token',
  system: 'System',
  cli: 'Command line',
  anonymous: 'Anonymous',
  staff: 'Platform staff',
};

/** "ann", "ann with CI", "System", "Platform staff (eve)", "Platform staff as ann". */
export function actorName({ actor, on_behalf_of, token }: AuditEntry): string {
  const name = actor.username ?? KINDS[actor.kind];
  if (actor.kind === 'staff' && actor.username !== null) return `${KINDS.staff} (${actor.username})`;
  if (on_behalf_of !== null) return `${KINDS.staff} as ${name}`;
  return token && token.name !== '' ? `${name} with ${token.name}` : name;
}

/** "CVM", "invitation", "API token". */
export const kindName = (kind: string): string =>
  kind.replaceAll('_', ' ').replaceAll(/\b(api|cvm|kms|sso|ssh)\b/g, (word) => word.toUpperCase());

const FIELDS: Readonly<Record<string, string>> = {
  vcpu: 'vCPU',
  memory_mb: 'Memory (MB)',
  disk_gb: 'Disk (GB)',
  disk_size: 'Disk (GB)',
  memory: 'Memory (MB)',
  hourly_rate_micros: 'Hourly rate (millionths of $)',
  env_digest: 'Secrets digest',
  team_id: 'Team',
  os_image: 'OS image',
  os_image_hash: 'OS image hash',
};

/** "Memory (MB)", "App ID", "Limits, vCPU". @param key path of a value, such as `limits.vcpu` */
export function fieldName(key: string): string {
  if (key === '') return 'Value';
  return key
    .split('.')
    .map(
      (part) =>
        ownValue(FIELDS, part) ??
        capitalized(kindName(part).replaceAll(/\b(id|url|ip)\b/g, (word) => word.toUpperCase())),
    )
    .join(', ');
}

/** Returns kind and name, else the short ID: "CVM web-1". */
export function targetName({
  target,
  before,
  after,
}: Pick<AuditEntry, 'target' | 'before' | 'after'>): string {
  if (!target) return '—';
  const name =
    nameIn(after) ?? nameIn(before) ?? target.name ?? (target.id === null ? '' : shortId(target.id));
  return `${kindName(target.kind)} ${name}`.trim();
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, username, email } = value as Record<string, unknown>;
  return [name, username, email].find((text): text is string => typeof text === 'string' && text !== '');
}
