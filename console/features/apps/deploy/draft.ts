// Drafts survive errors, Back and reloads in this tab. Secret values are never stored, only their names, so a
// forgotten tab or shared computer reveals nothing.

import { newRow } from '../../../ui/forms/secrets';
import { type DeployForm, emptyForm } from './form';
import { ownValue } from '../../../lib/ownValue';

type Draft = Omit<DeployForm, 'secrets'> & { secret_names: string[] };

export function toDraft({ secrets, ...rest }: DeployForm): Draft {
  return { ...rest, secret_names: secrets.map(({ key }) => key).filter((key) => key !== '') };
}

/** Validates every field, because the draft may come from another version of this page. */
export function fromDraft(value: unknown): DeployForm | null {
  if (typeof value !== 'object' || value === null) return null;
  const source = value as Record<string, unknown>;
  const form: Record<string, unknown> = { ...emptyForm };
  for (const [key, initial] of Object.entries(emptyForm)) {
    if (key !== 'secrets' && typeof ownValue(source, key) === typeof initial)
      form[key] = ownValue(source, key);
  }
  const names = Array.isArray(source.secret_names) ? source.secret_names : [];
  const secrets = names
    .filter((name): name is string => typeof name === 'string')
    .map((name) => newRow(name));
  return { ...(form as unknown as DeployForm), secrets };
}

const keyOf = (team_slug: string) => `teehouse:deploy-draft:${team_slug}`;

/** Storage may be full or blocked; the draft then lasts as long as the page. */
export function saveDraft(team_slug: string, form: DeployForm): void {
  try {
    sessionStorage.setItem(keyOf(team_slug), JSON.stringify(toDraft(form)));
  } catch {
    // The draft stays in memory.
  }
}

export function loadDraft(team_slug: string): DeployForm | null {
  try {
    return fromDraft(JSON.parse(sessionStorage.getItem(keyOf(team_slug)) ?? 'null'));
  } catch {
    return null;
  }
}

export function dropDraft(team_slug: string): void {
  try {
    sessionStorage.removeItem(keyOf(team_slug));
  } catch {
    // The draft stays in memory.
  }
}
