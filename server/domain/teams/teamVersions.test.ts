import { expect, it } from 'vitest';
import {
  zApiTokenPatch,
  zMemberPatch,
  zPutSso,
  zWebhookPatch,
  zWorkspacePatch,
} from '../../../generated/api/zod.gen';
import type { Version } from '../core/version';
import { memberVersion, ssoVersion, teamVersion, tokenVersion, webhookVersion } from './teamVersions';

const team = { name: 'Acme', slug: 'acme', require_second_factor: false };
const webhook = {
  url: 'https://acme.example/hook',
  name: null,
  events: ['cvm.created'],
  enabled: true,
  format: 'events',
  sealed_secret: 'sealed',
  secret_hint: 'whsec_…1234',
};
const connection = {
  issuer: 'https://idp.acme.example',
  client_id: 'teehouse',
  sealed_client_secret: 'sealed',
  domain: 'acme.example',
  enforced: false,
  default_role: 'member' as const,
  role_claim: null,
  role_rules: [],
  require_email_verified: true,
};

/** Columns whose names differ from a request's fields. */
const COLUMNS: Readonly<Record<string, string>> = { client_secret: 'sealed_client_secret' };

function fieldsMissedBy<R>(version: Version<R>, row: R, schema: { shape: object }): string[] {
  const etag = version.etag(row, null);
  return Object.keys(schema.shape).filter((field) => {
    const changed = { ...row, [COLUMNS[field] ?? field]: 'changed by another user' };
    return !version.changedSince(changed, etag)?.some((change) => change.field === field);
  });
}

it.each([
  ['team', () => fieldsMissedBy(teamVersion, team, zWorkspacePatch)],
  ['member', () => fieldsMissedBy(memberVersion, { role: 'member' }, zMemberPatch)],
  [
    'token',
    () =>
      fieldsMissedBy(tokenVersion, { name: 'CI', revoked_at: null, default_version: null }, zApiTokenPatch),
  ],
  ['webhook', () => fieldsMissedBy(webhookVersion, webhook, zWebhookPatch)],
  ['SSO connection', () => fieldsMissedBy(ssoVersion, connection, zPutSso)],
])('detects a concurrent change to any field that a request can set on a %s', (_, missed) => {
  expect(missed()).toEqual([]);
});
