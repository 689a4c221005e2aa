import type { AuthProvider } from 'react-admin';
import { statusOf } from './http';
import { findResource } from './schema/resources';
import type { Verb } from './schema/types';
import { goToLogin, loadSession, mayWith, signOut } from './session';

/** Signing in is the console's; here it is only known who it was. Nothing renders before `loadSession` has answered. */
export const authProvider: AuthProvider = {
  async checkAuth() {
    const { user } = await loadSession();
    if (!user) goToLogin();
  },
  async checkError(error: unknown) {
    // The session ended in another tab, or was revoked. A 403 is an answer like others: pages show it.
    if (statusOf(error) === 401) goToLogin();
  },
  async getIdentity() {
    const { user } = await loadSession();
    return { id: user?.id ?? '', fullName: user?.username ?? '' };
  },
  async getPermissions() {
    return (await loadSession()).platform_permissions;
  },
  /** The same table that the server enforces, from memory: react-admin asks before each page, and must not wait. */
  async canAccess({ resource, action }) {
    const { platform_permissions } = await loadSession();
    const found = findResource(resource);
    if (!found) return false;
    const own = found.actions.find(({ name }) => name === action);
    return mayWith(platform_permissions, own?.permission ?? found.permissions[action as Verb]);
  },
  login: async () => goToLogin(),
  logout: signOut,
};
