import { CONFIG_VARIABLES } from '../config';

const COMMANDS = `Teehouse: console and control plane of a confidential cloud.

  teehouse start [--role all|web|worker]         run the server
  teehouse migrate                               bring the database up to date
  teehouse doctor                                check configuration, database, hosts, Docker, mail, clock, disk

  teehouse user create --email E --password P [--name N] [--admin]
  teehouse user list
  teehouse user reset-password --email E --password P
  teehouse user make-admin --email E
  teehouse user verify --email E                 the address counts as confirmed, without the link
      --password-stdin instead of --password reads it from standard input

  teehouse token create --user E [--team SLUG] [--name N] [--days D] [--scopes "cvms:* nodes:*"]
      prints the token and nothing else; without --days it does not expire, without --scopes it may do
      everything its person may, apart from administration
  teehouse token list [--user E]
  teehouse token revoke --token-id ID | --token T

  teehouse outbox list                           mail of this server, newest first
  teehouse outbox show ID                        what one says, while it waits: without SMTP_URL
                                                 links of people are only here and in the admin area

  teehouse verify [--since FILE]                 walk the audit log of every team: what was changed, removed,
                                                 moved or cut off? FILE: what an earlier run printed
  teehouse verify --file F [--filtered]          the same for a jsonl export; --filtered allows holes

  teehouse attest FILE [--policy FILE] [--json]  verify the evidence of a CVM, as taken away from its Certificates
                                                 page; needs no network, no database and no running server
      what to expect, in the policy file or here: --app-id, --compose-hash, --instance-id, --os-image-hash,
      --kms-root, --device-id, --report-data (hex; several after commas), --accept-tcb STATUS,… beside UpToDate
      --at DATE judges as of then; --quote-only leaves OS and app out; --root FILE instead of Intel's root
      ends with 0 verified, 3 verified with exceptions, 1 not verified, 2 unknown, simulated or unreadable

  teehouse backup --to FILE                      everything in the database, at one moment
  teehouse restore --from FILE                   into an empty database

From a checkout: npm run -s teehouse -- COMMAND. Commands work while the server runs.
Exit codes: 0 done, 1 failed, 2 wrong use, 78 wrong configuration.`;

export function helpText(): string {
  const width = Math.max(...CONFIG_VARIABLES.map(({ name }) => name.length));
  const variables = CONFIG_VARIABLES.map(
    ({ name, what, default: fallback }) =>
      `  ${name.padEnd(width)}  ${what}${fallback ? ` [${fallback}]` : ''}`,
  );
  return `${COMMANDS}\n\nConfiguration, by environment variable:\n${variables.join('\n')}`;
}
