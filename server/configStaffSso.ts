import { z } from 'zod';
import { onOff, optional, variable } from './configVariable';
import { STAFF_ROLES, type StaffRoleRule } from './domain/accounts/staffSso';
import { issuerRefusal } from './domain/teams/sso';

const rules = z.string().transform((text, ctx): StaffRoleRule[] => {
  const parsed = text.split(',').map((part) => {
    // Group names may contain “=”, roles don't.
    const [, value = '', name = ''] = /^(.+)=([a-z]+)$/.exec(part.trim()) ?? [];
    const role = STAFF_ROLES.find((one) => one === name);
    return value.trim() === '' || role === undefined ? null : { value: value.trim(), role };
  });
  if (parsed.every((rule) => rule !== null)) return parsed;
  ctx.addIssue({ code: 'custom', message: 'not a list of rules' });
  return z.NEVER;
});

const issuer = z.string().refine((text) => issuerRefusal(text) === null && /^https?:/.test(text));
const text = (max: number) => optional(z.string().min(1).max(max));

/** Settings of the identity provider for platform staff. */
export const STAFF_SSO_VARIABLES = {
  STAFF_SSO_ISSUER: variable({
    what: 'OpenID Connect provider that platform staff sign in with. Its redirect URI is `PUBLIC_URL/api/v1/auth/sso/callback`. Requires STAFF_SSO_CLIENT_ID. A private address must be in OUTBOUND_ALLOW.',
    expected: 'the issuer as the provider writes it, such as https://login.example.com',
    schema: optional(issuer),
  }),
  STAFF_SSO_CLIENT_ID: variable({
    what: 'Client ID at that provider.',
    expected: 'up to 200 characters',
    schema: text(200),
  }),
  STAFF_SSO_CLIENT_SECRET: variable({
    what: 'Client secret. Without one, only PKCE protects the sign-in.',
    expected: 'up to 1000 characters',
    secret: true,
    schema: text(1000),
  }),
  STAFF_SSO_NAME: variable({
    what: 'Label of its button on the sign-in page.',
    default: 'Staff sign-in',
    expected: 'up to 60 characters',
    schema: z.string().min(1).max(60),
  }),
  STAFF_SSO_ROLE_CLAIM: variable({
    what: 'Claim that determines the platform role at each sign-in, according to STAFF_SSO_ROLES. Without it, the provider only signs in staff whose role was set in the admin area.',
    expected: 'a claim such as groups, or a path such as realm_access.roles',
    schema: text(200),
  }),
  STAFF_SSO_ROLES: variable({
    what: 'Values of that claim and their platform roles; the first match applies. Accounts without a match lose their role when they sign in.',
    expected: `comma-separated value=role pairs such as cloud-admins=admin,helpdesk=support; roles are ${STAFF_ROLES.join(', ')}`,
    schema: optional(rules),
  }),
  STAFF_SSO_REQUIRED: variable({
    what: 'on: platform roles apply only in sessions opened through this provider or `teehouse break-glass`. In other sessions, and with API tokens, staff are ordinary users.',
    default: 'off',
    expected: 'on or off',
    schema: onOff,
  }),
};

type Values = {
  [K in keyof typeof STAFF_SSO_VARIABLES]: z.infer<(typeof STAFF_SSO_VARIABLES)[K]['schema']>;
};

/** Returns the staff provider; null without one. */
export const staffSsoOf = (values: Values) =>
  values.STAFF_SSO_ISSUER === undefined || values.STAFF_SSO_CLIENT_ID === undefined
    ? null
    : {
        issuer: values.STAFF_SSO_ISSUER,
        client_id: values.STAFF_SSO_CLIENT_ID,
        client_secret: values.STAFF_SSO_CLIENT_SECRET ?? null,
        name: values.STAFF_SSO_NAME,
        /** Null if the provider doesn't assign roles. */
        role_claim: values.STAFF_SSO_ROLE_CLAIM ?? null,
        role_rules: values.STAFF_SSO_ROLES ?? [],
        required: values.STAFF_SSO_REQUIRED,
      };

/** Settings that only work together: if the first of a pair is set, the second must be too. */
export const STAFF_SSO_NEEDS = [
  ['STAFF_SSO_ISSUER', 'STAFF_SSO_CLIENT_ID'],
  ['STAFF_SSO_CLIENT_ID', 'STAFF_SSO_ISSUER'],
  ['STAFF_SSO_CLIENT_SECRET', 'STAFF_SSO_ISSUER'],
  ['STAFF_SSO_ROLE_CLAIM', 'STAFF_SSO_ROLES'],
  ['STAFF_SSO_ROLES', 'STAFF_SSO_ROLE_CLAIM'],
  ['STAFF_SSO_REQUIRED', 'STAFF_SSO_ISSUER'],
] as const;
