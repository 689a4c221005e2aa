import type { AuditEntry } from '../../../generated/api/types.gen';

const KINDS: Record<AuditEntry['actor']['kind'], string> = {
  user: 'User',
  token: 'API token',
  system: 'Teehouse',
  cli: 'Command line',
  anonymous: 'Anonymous',
  staff: 'Platform staff',
};

/** "ann", "ann with CI", "Teehouse", "Platform staff (eve)", "Platform staff as ann". */
export function actorName({ actor, on_behalf_of, token }: AuditEntry): string {
  const name = actor.username ?? KINDS[actor.kind];
  if (actor.kind === 'staff' && actor.username !== null) return `${KINDS.staff} (${actor.username})`;
  if (on_behalf_of !== null) return `${KINDS.staff} as ${name}`;
  return token && token.name !== '' ? `${name} with ${token.name}` : name;
}

/** "CVM", "invitation", "API token". */
export const kindName = (kind: string): string =>
  kind.replaceAll('_', ' ').replaceAll(/\b(api|cvm|kms|sso|ssh)\b/g, (word) => word.toUpperCase());

/** Returns kind and name, else the ID: "CVM web-1". */
export function targetName({
  target,
  before,
  after,
}: Pick<AuditEntry, 'target' | 'before' | 'after'>): string {
  if (!target) return '—';
  const name = nameIn(after) ?? nameIn(before) ?? target.id ?? '';
  return `${kindName(target.kind)} ${name}`.trim();
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, username, email } = value as Record<string, unknown>;
  return [name, username, email].find((text): text is string => typeof text === 'string' && text !== '');
}
