import { CONFIG_VARIABLES } from '../config';

const COMMANDS = `Teehouse: console and control plane of a confidential cloud.

  teehouse start [--role all|web|worker]         run the server
  teehouse migrate                               apply database migrations
  teehouse doctor                                check configuration, database, hosts, Docker, mail, clock, disk
  teehouse upgrade --check [--json]              check whether this version can take over, without changing anything:
                                                 migrations to run, running processes, backup, PostgreSQL, disk, settings;
                                                 exits with 1 if it can't

  teehouse user create --email E --password P [--name N] [--admin]
  teehouse user list
  teehouse user reset-password --email E --password P
  teehouse user make-admin --email E
  teehouse user verify --email E                 mark the email address as confirmed
      --password-stdin reads the password from standard input instead of --password

  teehouse break-glass --email E --reason TEXT   print a single-use link that signs this administrator in without staff
                                                 single sign-on: valid for 15 minutes, for a one-hour session;
                                                 audited, and all administrators are notified by email when it is used

  teehouse token create --user E [--team SLUG] [--name N] [--days D] [--scopes "cvms:* nodes:*"]
      prints only the token. Without --days it never expires; without --scopes it can do everything
      its user can, except administration
  teehouse token list [--user E]
  teehouse token revoke --token-id ID | --token T

  teehouse outbox list                           list outgoing mail, newest first
  teehouse outbox show ID                        show a queued email; without SMTP_URL, users' links are
                                                 available only here and in the admin area

  teehouse log-level show                        show the log level of the running processes
  teehouse log-level set LEVEL [--minutes N]     change it for N minutes (60 by default, at most 1440), without
                                                 a restart: error, warn, info, debug or trace
  teehouse log-level reset                       return to LOG_LEVEL now

  teehouse verify [--since FILE]                 verify every audit log and ledger: report changed, removed, moved
                                                 or truncated entries, and sums that differ. FILE is the output
                                                 of an earlier run
  teehouse verify --file F [--filtered]          verify a jsonl export of an audit log or ledger;
                                                 --filtered allows gaps

  teehouse attest FILE [--policy FILE] [--json]  verify a CVM's evidence, as downloaded from its Certificates page;
                                                 needs no network, no database and no running server
      expected values, in the policy file or here: --app-id, --compose-hash, --instance-id, --os-image-hash,
      --device-id, --report-data (hex, comma-separated), --accept-tcb STATUS,… in addition to UpToDate
      --kms-root FILE|HEX,… pins the KMS root key: a certificate, a public key or hex
      --root FILE trusts this root instead of Intel's; the first line of the output says so
      --at DATE verifies as of that date; --quote-only skips OS and app
      exits with 0 verified, 3 verified with exceptions, 1 not verified, 2 unknown, simulated or unreadable

  teehouse backup --to FILE                      write a consistent copy of the database
  teehouse restore --from FILE                   restore into an empty database
  teehouse drill --from FILE [--json]            test a backup: restore it into a temporary database and check its
                                                 rows, secret, audit log, ledger and invoices, without touching the
                                                 installation; exits with 1 if a check fails
  teehouse reseal                                re-encrypt values of TEEHOUSE_SECOND_SECRET with TEEHOUSE_SECRET

From a checkout: npm run -s teehouse -- COMMAND. Commands work while the server runs.
Exit codes: 0 success, 1 failure, 2 usage error, 78 configuration error.`;

export function helpText(): string {
  const width = Math.max(...CONFIG_VARIABLES.map(({ name }) => name.length));
  const variables = CONFIG_VARIABLES.map(
    ({ name, what, default: fallback }) =>
      `  ${name.padEnd(width)}  ${what}${fallback ? ` [${fallback}]` : ''}`,
  );
  return `${COMMANDS}\n\nConfiguration by environment variable:\n${variables.join('\n')}`;
}
