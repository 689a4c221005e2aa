import { expect, type Page } from '@playwright/test';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import { permissions } from '../../generated/api/permissions.gen';
import { createAdmin, onDatabase, signIn } from './support';

/** People of the platform in a browser, and what the document says each of them may open. */

export type Role = 'support' | 'infra' | 'finance' | 'admin';
export const ROLES: readonly Role[] = ['support', 'infra', 'finance', 'admin'];

/** May this role call all of these? */
export const mayCall = (role: Role, needs: readonly OperationId[]): boolean =>
  needs.every((id) =>
    (permissions[operations[id].permission].roles as readonly string[]).includes(`platform:${role}`),
  );

export const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });

/** A new member of staff, signed in at the overview. */
export async function signInAs(page: Page, role: Role): Promise<void> {
  const email = await createAdmin();
  if (role !== 'admin')
    await onDatabase('update users set platform_role = $2 where email = $1', [email, role]);
  await page.goto('/admin');
  await signIn(page, email);
  await page.waitForURL('**/admin');
  await expect(heading(page)).toBeVisible();
}

/** The whole of it, where it is a text. */
export const textOf = (part: string | RegExp): RegExp =>
  typeof part === 'string' ? new RegExp(`^${part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : part;

/** A page that is wrong is not waited for long: there are many. */
export const SOON = { timeout: 5_000 };
