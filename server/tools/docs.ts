import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiVersions } from '../../generated/api/apiVersions.gen';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import { problems } from '../../generated/api/permissions.gen';
import {
  keptFor,
  NOTICE_DAYS,
  PERIOD_DAYS,
  RETENTION,
  type RetainedKind,
  type Retention,
} from '../../console/lib/activity/retention';
import { CLIENTS, versionOf, type Client } from '../clients/testing/clientRequest';
import { REQUESTS } from '../clients/testing/requests';
import { CONFIG_VARIABLES } from '../config';
import { DEFAULT_VERSION } from '../http/compat/versions';
import { VARIABLES } from '../configVariables';
import { ROOT } from '../root';

/**
 * `npm run docs`: writes docs/configuration.md from the variables the server reads, docs/errors.md from the error codes
 * of the API document, docs/clients.md from the requests of the contract suite, docs/api-changelog.md from the versions of the
 * API document and docs/retention.md from what expires; `--check` only compares.
 */

const PAGES = {
  'docs/configuration.md': configReference,
  'docs/errors.md': errorReference,
  'docs/clients.md': clientReference,
  'docs/api-changelog.md': versionReference,
  'docs/retention.md': retentionReference,
};

const CONFIG_INTRODUCTION = `# Configuration

Written by \`npm run docs\` from \`server/configVariables.ts\`. Do not edit.

Every setting is an environment variable, and none is required. The server reports all invalid values at startup and
exits with code 78; \`npm run -s teehouse -- doctor\` checks the values and the systems they name.
Values marked *secret* never appear in logs or error messages.

Each can also be read from its own file: \`DATABASE_URL_FILE=/run/secrets/database\` reads \`DATABASE_URL\` from there, as Docker
and systemd pass secrets. \`TEEHOUSE_CONFIG\` names one file for any of them. The environment comes first, then that file.
`;

const expectations = new Map<string, { expected: string; secret?: boolean }>(Object.entries(VARIABLES));

/** Escapes characters that would end a table cell. */
const cell = (text: string) => text.replaceAll('|', '\\|');

/** Returns a code span, which keeps angle brackets from being read as HTML. */
const code = (text: string) => (text === '' ? '' : `\`${cell(text)}\``);

/** Returns the text of docs/configuration.md. */
function configReference(): string {
  const rows = CONFIG_VARIABLES.map(({ name, what, default: fallback }) => {
    const { expected = '', secret = false } = expectations.get(name) ?? {};
    return `| \`${name}\` | ${code(fallback)} | ${cell(what)} | ${cell(expected)}${secret ? ' (*secret*)' : ''} |`;
  });
  return [
    CONFIG_INTRODUCTION,
    '| variable | default | purpose | accepted values |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const ERROR_INTRODUCTION = `# Error codes

Written by \`npm run docs\` from \`x-problems\` in \`openapi/product.yaml\`. Do not edit.

Every error response has one of these codes in \`code\`, and the ID of its request in \`request_id\` and the \`X-Request-Id\`
header. A running server shows the same list at \`/docs/errors\`. [openapi/README.md](../openapi/README.md#error-responses)
describes the body. A 409 without a top-level \`error_code\` is temporary: repeat the request after \`Retry-After\`.
`;

/** Returns the text of docs/errors.md. */
function errorReference(): string {
  const rows = Object.entries(problems).map(
    ([id, { status, title, what_to_do }]) =>
      `| \`${id}\` | ${status} | ${cell(title)} | ${cell(what_to_do)} |`,
  );
  return [
    ERROR_INTRODUCTION,
    '| code | status | meaning | what to do |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const CLIENT_INTRODUCTION = `# Operations by client and version

Written by \`npm run docs\` from the requests of \`server/clients/contract.test.ts\`. Do not edit.

Each cell is the version that the client names in \`X-Phala-Version\`. The contract suite sends every one of these requests as
the client does, and reads the reply with the types of the client's structs. [automation.md](automation.md) shows the
clients at work.
`;

/** Returns the text of docs/clients.md. */
function clientReference(): string {
  const clients = Object.keys(CLIENTS) as Client[];
  const rows = REQUESTS.map((request) => {
    const { method, path } = operations[request.operation];
    const versions = clients.map((client) =>
      request.clients.includes(client) ? versionOf(request, client) : '',
    );
    return `| \`${method.toUpperCase()} ${path}\` | ${versions.join(' | ')} |`;
  });
  return [
    CLIENT_INTRODUCTION,
    `| operation | ${clients.map((client) => CLIENTS[client].title).join(' | ')} |`,
    `|---|${clients.map(() => '---|').join('')}`,
    ...rows,
    '',
  ].join('\n');
}

const VERSION_INTRODUCTION = `# API changelog

Written by \`npm run docs\` from \`x-api-versions\` in \`openapi/product.yaml\`. Do not edit.

API versions are named by date. Requests select one with the \`X-Phala-Version\` header; without it, they use their token's default
version, or ${DEFAULT_VERSION}. Responses keep that version's format, so a client changes only when it selects a newer one. A running
server shows the same list at \`/docs/changelog\`, and \`/openapi.json\` includes the older formats.

New operations, new optional request fields and new response fields don't require a new version: ignore unknown fields.
They are listed in [CHANGELOG.md](CHANGELOG.md).
`;

/** Returns the text of docs/api-changelog.md. */
function versionReference(): string {
  const route = (id: string) => {
    const { method, path: address } = operations[id as OperationId];
    return `\`${method.toUpperCase()} ${address}\``;
  };
  const sections = Object.entries(apiVersions).map(([version, { summary, changes }]) =>
    [
      `## ${version}`,
      '',
      summary,
      ...(changes.length > 0 ? ['', '| operations | change |', '|---|---|'] : []),
      ...changes.map(({ operations: ids, change }) => `| ${ids.map(route).join('<br>')} | ${cell(change)} |`),
      '',
    ].join('\n'),
  );
  return [VERSION_INTRODUCTION, ...sections].join('\n');
}

const RETENTION_INTRODUCTION = `# Retention

Written by \`npm run docs\` from \`console/lib/activity/retention.ts\`. Do not edit.

The data in this table expires. All other data is kept as long as the object it belongs to, and the ledger, invoices, usage
lines and audit log are kept indefinitely.

Data marked as announced is deleted only after an announcement. A team's admins and owners are notified in the console and by
email at least ${NOTICE_DAYS} days before the first deletion, and the team's audit log has the entry \`retention.expiry\`.
For administrators, the entry is in the platform's audit log and is delivered to its destinations. An announcement covers
${PERIOD_DAYS} days; another follows only if more data is due for deletion by then.
[operations.md](operations.md#retention) has the details.
`;

/** Returns the text of docs/retention.md. */
function retentionReference(): string {
  const told = { team: 'To the team', platform: 'To administrators' } as const;
  const rows = (Object.entries(RETENTION) as [RetainedKind, Retention][]).map(([kind, one]) => {
    const what = one.note === undefined ? one.what : `${one.what} (${one.note})`;
    const announced = one.announced === null ? `No. ${one.unannounced ?? ''}` : told[one.announced];
    return `| ${cell(what)} | ${keptFor(kind)} | ${one.export === null ? 'none' : code(one.export)} | ${cell(announced)} |`;
  });
  return [
    RETENTION_INTRODUCTION,
    '| data | kept for | export | announced |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of Object.entries(PAGES)) {
    const file = path.join(ROOT, name);
    if (!process.argv.includes('--check')) writeFileSync(file, text());
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text()) {
      console.log(`${name} is out of date; run \`npm run docs\`.`);
      process.exitCode = 1;
    }
  }
}
