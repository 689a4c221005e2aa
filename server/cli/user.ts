import { z } from 'zod';
import { createTeam } from '../db/teams/teams';
import {
  createUser,
  findUserByEmail,
  listUsers,
  setPassword,
  setPlatformRole,
  setVerified,
} from '../db/accounts/users';
import type { UserRow } from '../db/accounts/usersTable';
import type { Db } from '../db/core/client';
import { hashPassword, passwordProblem } from '../domain/accounts/password';
import { normalEmail, usernameFor } from '../domain/accounts/username';
import { audit, withDatabase, write } from './database';
import { CommandError, UsageError, type Cli } from './io';
import { parseOptions, required } from './options';
import { shortTime, tableLines } from './table';

const MAX_LISTED = 10_000;

export async function userCommand(cli: Cli, [action, ...args]: string[]): Promise<void> {
  if (action === 'create') return create(cli, args);
  if (action === 'list') return list(cli, args);
  if (action === 'reset-password') return resetPassword(cli, args);
  if (action === 'make-admin') return makeAdmin(cli, args);
  if (action === 'verify') return verify(cli, args);
  throw new UsageError(
    action ? `There is no “user ${action}”.` : 'Use user create, list, reset-password, make-admin or verify.',
  );
}

async function create(cli: Cli, args: string[]): Promise<void> {
  const options = parseOptions(args, {
    email: 'value',
    password: 'value',
    'password-stdin': 'flag',
    name: 'value',
    admin: 'flag',
  });
  const email = emailOf(options.email);
  const password_hash = await hashPassword(await passwordOf(cli, options, email));
  await withDatabase(cli, 'user create', async ({ db, config }) => {
    const { user, team } = await write(db, async (trx) => {
      const username = usernameFor(email, options.name);
      // An operator with a shell on this server vouches for the address.
      const made = await createUser(trx, {
        email,
        username,
        password_hash,
        verified: true,
        admin: options.admin || email === config.adminEmail,
        first: { verified: true, admin: true },
      });
      if (!made) throw new CommandError(`${email} already has an account.`);
      const { user } = made;
      const team = await createTeam(trx, {
        name: username,
        owner_id: user.id,
        is_default: true,
        reserved: [config.agentFramework],
        quota: user.platform_role === 'admin' ? null : config.teamQuota,
      });
      if (!team) throw new CommandError("Couldn't find a free team slug. Try again.");
      await audit(trx, {
        action: 'user.create',
        target_kind: 'user',
        target_id: user.public_id,
        team_id: team.id,
        after: { username, platform_role: user.platform_role, team: team.slug },
      });
      return { user, team };
    });
    cli.out(`${user.public_id} ${user.email} team ${team.slug}${roleNote(user)}`);
  });
}

const roleNote = (user: UserRow) => (user.platform_role === null ? '' : `, platform ${user.platform_role}`);

async function list(cli: Cli, args: string[]): Promise<void> {
  parseOptions(args, {});
  await withDatabase(cli, 'user list', async ({ db }) => {
    const users = await listUsers(db, MAX_LISTED);
    const rows = users.map((user) => [
      user.email,
      user.username,
      user.platform_role ?? '',
      user.state,
      user.teams.join(','),
      shortTime(user.created_at),
    ]);
    for (const line of tableLines(['EMAIL', 'NAME', 'PLATFORM', 'STATE', 'TEAMS', 'CREATED'], rows))
      cli.out(line);
    if (users.length === MAX_LISTED) cli.err(`Only the first ${MAX_LISTED} are shown.`);
  });
}

async function resetPassword(cli: Cli, args: string[]): Promise<void> {
  const options = parseOptions(args, { email: 'value', password: 'value', 'password-stdin': 'flag' });
  const email = emailOf(options.email);
  const password_hash = await hashPassword(await passwordOf(cli, options, email));
  await withDatabase(cli, 'user reset-password', async ({ db }) => {
    const user = await existing(db, email);
    const ended = await write(db, async (trx) => {
      const count = await setPassword(trx, user.id, password_hash);
      await audit(trx, { action: 'user.reset_password', target_kind: 'user', target_id: user.public_id });
      return count;
    });
    cli.out(`${user.public_id} ${email} has a new password; ${ended} session${ended === 1 ? '' : 's'} ended`);
  });
}

async function makeAdmin(cli: Cli, args: string[]): Promise<void> {
  const options = parseOptions(args, { email: 'value' });
  const email = emailOf(options.email);
  await withDatabase(cli, 'user make-admin', async ({ db }) => {
    const user = await existing(db, email);
    await write(db, async (trx) => {
      await setPlatformRole(trx, user.id, 'admin');
      await audit(trx, {
        action: 'user.make_admin',
        target_kind: 'user',
        target_id: user.public_id,
        after: { platform_role: 'admin' },
      });
    });
    cli.out(`${user.public_id} ${email} is now a platform admin`);
  });
}

/** For users who can't receive mail: the operator knows that the address is theirs. */
async function verify(cli: Cli, args: string[]): Promise<void> {
  const options = parseOptions(args, { email: 'value' });
  const email = emailOf(options.email);
  await withDatabase(cli, 'user verify', async ({ db, config }) => {
    const user = await existing(db, email);
    const admin = email === config.adminEmail;
    await write(db, async (trx) => {
      await setVerified(trx, user.id);
      if (admin) await setPlatformRole(trx, user.id, 'admin');
      await audit(trx, {
        action: 'user.verify_email',
        target_kind: 'user',
        target_id: user.public_id,
        after: { email, platform_role: admin ? 'admin' : user.platform_role },
      });
    });
    cli.out(`${user.public_id} ${email} is confirmed${admin ? ', platform admin' : ''}`);
  });
}

function emailOf(given: string | undefined): string {
  const email = normalEmail(required(given, 'email'));
  if (!z.email().safeParse(email).success) throw new UsageError('--email is not an email address.');
  return email;
}

/** Other users of the machine can read command arguments but not standard input. */
async function passwordOf(
  cli: Cli,
  options: { password: string | undefined; 'password-stdin': boolean },
  email: string,
): Promise<string> {
  if (options['password-stdin'] === (options.password !== undefined))
    throw new UsageError('Specify the password with --password, or on standard input with --password-stdin.');
  const password = options.password ?? (await cli.readInput()).replace(/\r?\n$/, '');
  const problem = await passwordProblem(password, email);
  if (problem !== null) throw new CommandError(`Invalid password. ${problem}`);
  return password;
}

export async function existing(db: Db, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email);
  if (!user) throw new CommandError(`${email} has no account. See \`user list\`.`);
  return user;
}
