import type { AuthProvider } from 'react-admin';
import { statusOf } from './http';
import { findResource } from './schema/resources';
import type { Verb } from './schema/types';
import { goToLogin, loadSession, mayWith, signOut } from './session';

/** The console handles sign-in; this provider only reads the session. Nothing renders until `loadSession` resolves. */
export const authProvider: AuthProvider = {
  async checkAuth() {
    const { user } = await loadSession();
    if (!user) goToLogin();
  },
  async checkError(error: unknown) {
    // The session was revoked or ended in another tab. Pages display a 403 themselves.
    if (statusOf(error) === 401) goToLogin();
  },
  async getIdentity() {
    const { user } = await loadSession();
    return { id: user?.id ?? '', fullName: user?.username ?? '' };
  },
  async getPermissions() {
    return (await loadSession()).platform_permissions;
  },
  /** Uses the permission table that the server enforces, from memory, because react-admin checks before every page. */
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
