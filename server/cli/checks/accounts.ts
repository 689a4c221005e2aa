import { isLocalUrl, type Config } from '../../config';
import { createDb } from '../../db/core/client';
import { hasNoAccount } from '../../db/accounts/users';
import type { Checked } from './database';
import { ok, warn, type Finding } from './finding';

const CREATE_ADMIN = 'teehouse user create --email … --password-stdin --admin';

/** Returns whether only this machine can reach the server, through its address and every interface it listens on. */
const isPrivate = ({ publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>) =>
  isLocalUrl(publicUrl) && (host === 'localhost' || host === '::1' || host.startsWith('127.'));

/** Reports who can create an account, and whether a stranger could become the administrator. */
export async function checkRegistration({ config, database }: Checked): Promise<Finding> {
  const { registration, adminEmail } = config;
  const is_new = await hasNoAccount(createDb(database.pool));
  if (is_new && registration === 'off')
    return warn('registration', 'off, and there is no account yet', `Create one: ${CREATE_ADMIN}`);
  if (is_new && adminEmail === undefined && !isPrivate(config))
    return warn(
      'registration',
      `${registration}, and there is no account yet: the first to register becomes the administrator`,
      `Create your account now: ${CREATE_ADMIN}. Or set TEEHOUSE_ADMIN_EMAIL.`,
    );
  if (registration === 'open' && !isPrivate(config))
    return warn(
      'registration',
      'open: anyone who can reach this server can create an account',
      'Set REGISTRATION=invite unless this is intended.',
    );
  return ok('registration', registration);
}

/** The built-in teepod runs containers on this machine's kernel, so strangers must not get access by registering. */
export async function checkLocalTeepod({ config, database }: Checked): Promise<Finding[]> {
  if (config.registration !== 'open' || isPrivate(config)) return [];
  const open = await createDb(database.pool)
    .selectFrom('teepods')
    .select('name')
    .where('kind', '=', 'local')
    .where('all_teams', '=', true)
    .executeTakeFirst();
  return open
    ? [
        warn(
          'local teepod',
          `${open.name} is open to all teams, including those of anyone who registers`,
          'Limit it to chosen teams on its page in the admin area.',
        ),
      ]
    : [];
}
