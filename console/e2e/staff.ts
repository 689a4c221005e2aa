import { expect, type Page } from '@playwright/test';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import { permissions } from '../../generated/api/permissions.gen';
import { createAdmin, onDatabase, startSession } from './support';

/** Platform staff in a browser, and the pages the API document allows them. */

export type Role = 'support' | 'infra' | 'finance' | 'admin';
export const ROLES: readonly Role[] = ['support', 'infra', 'finance', 'admin'];

/** Returns whether this role may call all of the operations. */
export const mayCall = (role: Role, needs: readonly OperationId[]): boolean =>
  needs.every((id) =>
    (permissions[operations[id].permission].roles as readonly string[]).includes(`platform:${role}`),
  );

export const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });

/** Creates a member of staff and signs them in, without opening a page. Returns their email address. */
export async function signInAs(page: Page, role: Role): Promise<string> {
  const email = await createAdmin();
  if (role !== 'admin')
    await onDatabase('update users set platform_role = $2 where email = $1', [email, role]);
  await startSession(page, email);
  return email;
}

/** Like `signInAs`, but also opens the overview. */
export async function openAdminAs(page: Page, role: Role): Promise<void> {
  await signInAs(page, role);
  await page.goto('/admin');
  await expect(heading(page)).toBeVisible();
}

/** Returns a pattern; a string matches the whole text. */
export const textOf = (part: string | RegExp): RegExp =>
  typeof part === 'string' ? new RegExp(`^${part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : part;
