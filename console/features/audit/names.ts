import type { AuditEntry } from '../../../generated/api/types.gen';

const KINDS: Record<AuditEntry['actor']['kind'], string> = {
  user: 'A person',
  token: 'A token',
  system: 'Teehouse',
  cli: 'Command line',
  anonymous: 'Nobody signed in',
  staff: 'Platform staff',
};

/** "ann", "ann with CI", "Teehouse", "Platform staff (eve)", "Platform staff as ann". */
export function actorName({ actor, on_behalf_of, token }: AuditEntry): string {
  const name = actor.username ?? KINDS[actor.kind];
  if (actor.kind === 'staff' && actor.username !== null) return `${KINDS.staff} (${actor.username})`;
  if (on_behalf_of !== null) return `${KINDS.staff} as ${name}`;
  return token && token.name !== '' ? `${name} with ${token.name}` : name;
}

/** The name it had, else its id: "cvm web-1". */
export function targetName({ target, before, after }: AuditEntry): string {
  if (!target) return '—';
  const name = nameIn(after) ?? nameIn(before) ?? target.id ?? '';
  return `${target.kind.replaceAll('_', ' ')} ${name}`.trim();
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, username } = value as Record<string, unknown>;
  return [name, username].find((text): text is string => typeof text === 'string' && text !== '');
}
