import type { Json } from '../../../db/core/json';
import {
  countScimUsers,
  findScimUser,
  forgetDeletedScimUser,
  insertScimUser,
  scimUserTaken,
  updateScimUser,
} from '../../../db/teams/scimUsers';
import type { ScimUserRow } from '../../../db/teams/scimTables';
import { applyPatch } from '../../../domain/teams/scim/patch';
import { ScimError } from '../../../domain/teams/scim/scimError';
import { readUser, type JsonObject, type ScimValues } from '../../../domain/teams/scim/values';
import type { Write } from '../../types';
import { grant, revoke, type Account } from './membership';
import { hold, noUser, valuesOf, type Held, type Provisioning } from './provisioning';

/** An identity provider's operations on users, each in one transaction with its audit rows. */

/** Maximum users per provider, including deleted ones: each may have an account here. */
const MAX_USERS = 20_000;

/** @throws {ScimError} 404 */
export async function getUser({ db, connection }: Provisioning, id: string): Promise<ScimUserRow> {
  const row = await findScimUser(db, connection.id, id);
  if (!row) throw noUser();
  return row;
}

/** @throws {ScimError} 400, 403, 409 */
export const createUser = (provisioning: Provisioning, body: JsonObject): Promise<ScimUserRow> =>
  provisioning.write(async (write) => {
    const held = await hold(provisioning, write, null, () => readUser(body, { active: true }));
    const { connection, values, email } = held;
    await checkFree(write, held);
    if ((await countScimUsers(write.trx, connection.id)) >= MAX_USERS)
      throw new ScimError(403, `A provider can add at most ${MAX_USERS} users, deleted ones included.`);
    const row = await insertScimUser(write.trx, {
      ...values,
      email,
      connection_id: connection.id,
      user_id: null,
      former_role: null,
    });
    await record(write, held, 'scim.user_create', row, null);
    const change = values.active ? grant : revoke;
    return updateScimUser(write.trx, row.id, await change(provisioning, write, held, row));
  });

/** PUT: removes omitted attributes, except `active`. @throws {ScimError} 400, 403, 404, 409 */
export const replaceUser = (provisioning: Provisioning, id: string, body: JsonObject) =>
  update(provisioning, id, (before) => readUser(body, before));

/** @throws {ScimError} 400, 403, 404, 409 */
export const patchUser = (provisioning: Provisioning, id: string, body: JsonObject) =>
  update(provisioning, id, (before) => applyPatch(before, body));

function update(
  provisioning: Provisioning,
  id: string,
  next: (before: ScimValues) => ScimValues,
): Promise<ScimUserRow> {
  return provisioning.write(async (write) => {
    const held = await hold(provisioning, write, id, (before) => {
      if (!before) throw noUser();
      return next(before);
    });
    const { row: before, values, email } = held;
    if (!before) throw noUser();
    // Only if the request states it: renaming an inactive user must not remove a member who was invited again.
    const statesInactive = !next({ ...valuesOf(before), active: true }).active;
    const isChanged = email !== before.email || !sameValues(values, valuesOf(before));
    let row = before;
    if (isChanged) {
      await checkFree(write, held);
      row = await updateScimUser(write.trx, before.id, { ...values, email });
      await record(write, held, 'scim.user_update', row, before);
    }
    if (statesInactive) {
      // Entra renames users while it deactivates them: the account is found by the previous address.
      const ended = await revoke(provisioning, write, held, { ...row, email: before.email });
      return sameAccount(ended, row) ? row : updateScimUser(write.trx, row.id, ended);
    }
    // Another address may have an account, unless the user has one.
    const isNew = row.active && (!before.active || (row.user_id === null && email !== before.email));
    if (!isNew) return row;
    return updateScimUser(write.trx, row.id, await grant(provisioning, write, held, row));
  });
}

/** @throws {ScimError} 404, 409 */
export const deleteUser = (provisioning: Provisioning, id: string): Promise<void> =>
  provisioning.write(async (write) => {
    const held = await hold(provisioning, write, id, (before) => {
      if (!before) throw noUser();
      return before;
    });
    const { row } = held;
    if (!row) throw noUser();
    const { user_id, issuer_opens_account } = await revoke(provisioning, write, held, row);
    await updateScimUser(write.trx, row.id, {
      active: false,
      user_id,
      issuer_opens_account,
      former_role: null,
      external_id: null,
      display_name: null,
      formatted_name: null,
      given_name: null,
      family_name: null,
      deleted_at: new Date(),
    });
    await write.audit({
      action: 'scim.user_delete',
      target_kind: 'scim_user',
      target_id: row.public_id,
      before: auditView(row),
      after: { by: held.connection.public_id },
    });
  });

/** @throws {ScimError} 409 */
async function checkFree({ trx }: Write, { connection, row, values, email }: Held): Promise<void> {
  const wanted = { user_name: values.user_name, email, user_id: null, except: row?.id ?? null };
  if (await scimUserTaken(trx, connection.id, wanted))
    throw new ScimError(409, 'A user with this userName or address already exists.', 'uniqueness');
  await forgetDeletedScimUser(trx, connection.id, email);
}

const sameValues = (a: ScimValues, b: ScimValues) =>
  (Object.keys(a) as (keyof ScimValues)[]).every((key) => a[key] === b[key]);

const sameAccount = (ended: Account, row: ScimUserRow) =>
  (Object.keys(ended) as (keyof Account)[]).every((key) => ended[key] === row[key]);

async function record(
  { audit }: Write,
  { connection }: Held,
  action: string,
  row: ScimUserRow,
  before: ScimUserRow | null,
): Promise<void> {
  await audit({
    action,
    target_kind: 'scim_user',
    target_id: row.public_id,
    ...(before ? { before: auditView(before) } : {}),
    after: { ...auditView(row), by: connection.public_id },
  });
}

const auditView = ({ user_name, email, external_id, active }: ScimUserRow): { [key: string]: Json } => ({
  user_name,
  email,
  external_id,
  active,
});
