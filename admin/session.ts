import { createContext, use } from 'react';
import type { Session } from '../generated/api/types.gen';
import { endedSessionPath, loginPath } from '../console/lib/paths';
import { mayRetry, retryWaitMs } from '../console/lib/recovery';
import { failedRead, fetchJson } from './http';
import type { ResourceAction, ResourceDescription, Verb } from './schema/types';

let loading: Promise<Session> | undefined;
let known: Session | undefined;

/** Loads the session once per page load, and again after `forgetSession`. */
export function loadSession(): Promise<Session> {
  loading ??= readSession().then((session) => (known = session));
  loading.catch(() => (loading = undefined));
  return loading;
}

/** Retries like the query cache: a device that changes networks briefly breaks every request. */
async function readSession(): Promise<Session> {
  for (let attempt = 0; ; attempt++)
    try {
      return (await fetchJson('/api/v1/session')).json as Session;
    } catch (error) {
      const failed = failedRead(error);
      if (!mayRetry(attempt, failed)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryWaitMs(attempt, failed)));
    }
}

/** The session if already loaded. */
export const knownSession = () => known;

function forgetSession(): void {
  loading = known = undefined;
}

/** Set by the first of several refused requests; later ones can no longer tell that a user was signed in. */
let hasEnded = false;

/** Opens the console's sign-in page, which returns here afterward and says so if the session ended. */
export function goToLogin(): void {
  const here = location.pathname + location.search;
  hasEnded ||= Boolean(known?.user);
  forgetSession();
  location.assign(hasEnded ? endedSessionPath(here) : loginPath(here));
}

export async function signOut(): Promise<void> {
  forgetSession();
  await fetchJson('/api/v1/auth/session', { method: 'DELETE' }).catch(() => undefined);
  location.assign('/login');
}

/** An undefined permission means the operation doesn't exist. */
export const mayWith = (permissions: readonly string[], needed: string | undefined): boolean =>
  needed !== undefined && permissions.includes(needed);

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession outside of the signed-in area');
  return session;
}

/** Returns why the user can't do something, for the disabled action; undefined if allowed. */
export function useRefusal(): (resource: ResourceDescription, verb: Verb) => string | undefined {
  const refusal = usePermissionRefusal();
  return (resource, verb) => {
    const needed = resource.permissions[verb];
    return needed === undefined ? `${resource.label} don’t support this action.` : refusal(needed);
  };
}

export function useActionRefusal(): (action: ResourceAction) => string | undefined {
  const refusal = usePermissionRefusal();
  return ({ permission }) => refusal(permission);
}

/** Like `useRefusal`, by permission. */
export function usePermissionRefusal(): (permission: string) => string | undefined {
  const session = useSession();
  return (permission) => permissionRefusal(session, permission);
}

export function permissionRefusal(
  {
    platform_permissions,
    platform_role,
    features,
  }: Pick<Session, 'platform_permissions' | 'platform_role' | 'features'>,
  permission: string,
): string | undefined {
  if (!mayWith(platform_permissions, permission))
    return `Your platform role (${platform_role ?? 'none'}) doesn’t include ${permission}.`;
  if (permission === 'admin.outbox.write' && !features.mail)
    return 'No mail server is configured. Set SMTP_URL, or share the link yourself.';
  return undefined;
}
