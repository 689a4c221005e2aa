import { createContext, use } from 'react';
import type { Session } from '../generated/api/types.gen';
import { loginPath } from '../console/lib/paths';
import { fetchJson } from './http';
import type { ResourceAction, ResourceDescription, Verb } from './schema/types';

let loading: Promise<Session> | undefined;
let known: Session | undefined;

/** Who is signed in; asked once per page load, again after `forget`. */
export function loadSession(): Promise<Session> {
  loading ??= fetchJson('/api/v1/session').then(({ json }) => (known = json as Session));
  loading.catch(() => (loading = undefined));
  return loading;
}

/** As far as the server has said. */
export const knownSession = () => known;

export function forgetSession(): void {
  loading = known = undefined;
}

/** To the sign-in page of the console, and back here afterwards. */
export function goToLogin(): void {
  forgetSession();
  location.assign(loginPath(location.pathname + location.search));
}

export async function signOut(): Promise<void> {
  forgetSession();
  await fetchJson('/api/v1/auth/session', { method: 'DELETE' }).catch(() => undefined);
  location.assign('/login');
}

/** Without a permission there is no such operation, and nobody may. */
export const mayWith = (permissions: readonly string[], needed: string | undefined): boolean =>
  needed !== undefined && permissions.includes(needed);

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession outside of the signed-in area');
  return session;
}

/** Undefined when this person may; otherwise why not, for the disabled action. */
export function useRefusal(): (resource: ResourceDescription, verb: Verb) => string | undefined {
  const refusal = usePermissionRefusal();
  return (resource, verb) => {
    const needed = resource.permissions[verb];
    return needed === undefined ? `${resource.label} have no such action.` : refusal(needed);
  };
}

export function useActionRefusal(): (action: ResourceAction) => string | undefined {
  const refusal = usePermissionRefusal();
  return ({ permission }) => refusal(permission);
}

/** As `useRefusal`, by the permission itself. */
export function usePermissionRefusal(): (permission: string) => string | undefined {
  const { platform_permissions, platform_role } = useSession();
  return (permission) =>
    mayWith(platform_permissions, permission)
      ? undefined
      : `Your platform role (${platform_role ?? 'none'}) does not include ${permission}.`;
}
