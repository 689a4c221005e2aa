import { cutWhole } from '../../console/lib/texts/cutWhole';
import { createToken, listTokens, revokeToken } from '../db/teams/apiTokens';
import { defaultTeam, findTeam } from '../db/teams/teams';
import { hashToken, isWellFormedToken, tokenHint } from '../domain/teams/token';
import { normalEmail } from '../domain/accounts/username';
import { audit, withDatabase, write } from './database';
import { CommandError, UsageError, type Cli } from './io';
import { parseOptions, required, wholeNumber } from './options';
import { shortTime, tableLines } from './table';
import { existing } from './user';

const MAX_LISTED = 10_000;
const SCOPE = /^(\*|[a-z_]+:([a-z_]+|\*))$/;

export async function tokenCommand(cli: Cli, [action, ...args]: string[]): Promise<void> {
  if (action === 'create') return create(cli, args);
  if (action === 'revoke') return revoke(cli, args);
  if (action === 'list') return list(cli, args);
  throw new UsageError(
    action ? `There is no “token ${action}”.` : 'Use token create, token list or token revoke.',
  );
}

async function create(cli: Cli, args: string[]): Promise<void> {
  const options = parseOptions(args, {
    user: 'value',
    team: 'value',
    name: 'value',
    days: 'value',
    scopes: 'value',
  });
  const email = normalEmail(required(options.user, 'user'));
  const days = wholeNumber(options.days, 'days', 1, 3650);
  const scopes = (options.scopes ?? '*').split(/[\s,]+/).filter(Boolean);
  if (scopes.length === 0 || scopes.some((scope) => !SCOPE.test(scope)))
    throw new UsageError('--scopes must be a list such as "cvms:* nodes:*".');
  await withDatabase(cli, 'token create', async ({ db }) => {
    const user = await existing(db, email);
    const team =
      options.team === undefined ? await defaultTeam(db, user.id) : await findTeam(db, user.id, options.team);
    if (!team)
      throw new CommandError(
        options.team === undefined
          ? `${email} isn't in a team.`
          : `${email} isn't in a team with the slug ${options.team}.`,
      );
    const name = cutWhole(options.name?.trim() ?? '', 100) || 'command line';
    const token = await write(db, async (trx) => {
      const { token, token_row } = await createToken(trx, {
        type: 'api',
        user_id: user.id,
        team_id: team.id,
        name,
        scopes,
        seconds: days === undefined ? null : days * 86_400,
      });
      await audit(trx, {
        action: 'token.create',
        target_kind: 'token',
        target_id: token_row.public_id,
        team_id: team.id,
        after: { name, scopes, token_prefix: token_row.token_prefix, user: user.public_id },
      });
      return token;
    });
    cli.out(token);
  });
}

async function revoke(cli: Cli, args: string[]): Promise<void> {
  const options = parseOptions(args, { token: 'value', 'token-id': 'value' });
  const { token, 'token-id': public_id } = options;
  if ((token === undefined) === (public_id === undefined))
    throw new UsageError('Specify the token with --token, or its ID with --token-id.');
  if (token !== undefined && !isWellFormedToken(token))
    throw new CommandError("This isn't a Teehouse token, or it has a typo.");
  await withDatabase(cli, 'token revoke', async ({ db }) => {
    const revoked = await write(db, async (trx) => {
      const row = await revokeToken(
        trx,
        token === undefined ? { public_id: public_id ?? '' } : { token_hash: hashToken(token) },
      );
      if (!row) throw new CommandError('Token not found or already revoked. See `token list`.');
      await audit(trx, {
        action: 'token.revoke',
        target_kind: 'token',
        target_id: row.public_id,
        team_id: row.team_id,
      });
      return row;
    });
    cli.out(`${revoked.public_id} revoked`);
  });
}

async function list(cli: Cli, args: string[]): Promise<void> {
  const options = parseOptions(args, { user: 'value' });
  const email = options.user === undefined ? null : normalEmail(options.user);
  await withDatabase(cli, 'token list', async ({ db }) => {
    const tokens = await listTokens(db, { email, limit: MAX_LISTED });
    const rows = tokens.map((token) => [
      token.public_id,
      tokenHint(token),
      token.name,
      token.email,
      token.slug,
      token.revoked_at ? 'revoked' : token.expires_at && token.expires_at < new Date() ? 'expired' : 'active',
      token.scopes.join(','),
      shortTime(token.last_used_at),
      shortTime(token.expires_at),
    ]);
    const head = ['ID', 'TOKEN', 'NAME', 'USER', 'TEAM', 'STATE', 'SCOPES', 'LAST USED', 'EXPIRES'];
    for (const line of tableLines(head, rows)) cli.out(line);
    if (tokens.length === MAX_LISTED) cli.err(`Only the newest ${MAX_LISTED} are shown.`);
  });
}
