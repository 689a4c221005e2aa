import { USER_SCHEMA } from './filter';

/** The self-description of `/scim/v2` (RFC 7643 §5–7). */

/** Maximum users per page. */
export const MAX_RESULTS = 200;

const meta = (resourceType: string, location: string) => ({ meta: { resourceType, location } });

export const serviceProviderConfig = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The SCIM token that a team admin created under single sign-on.',
      primary: true,
    },
  ],
  ...meta('ServiceProviderConfig', `${base}/ServiceProviderConfig`),
});

export const userResourceType = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  description: 'Users of the identity provider who are members of the team',
  schema: USER_SCHEMA,
  schemaExtensions: [],
  ...meta('ResourceType', `${base}/ResourceTypes/User`),
});

interface Described {
  name: string;
  description: string;
  type?: 'string' | 'boolean' | 'complex';
  required?: boolean;
  caseExact?: boolean;
  multiValued?: boolean;
  uniqueness?: 'none' | 'server';
  subAttributes?: Described[];
}

const described = ({ name, description, ...more }: Described): object => ({
  name,
  type: more.type ?? 'string',
  multiValued: more.multiValued ?? false,
  description,
  required: more.required ?? false,
  ...(more.type === 'complex' || more.type === 'boolean' ? {} : { caseExact: more.caseExact ?? false }),
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: more.uniqueness ?? 'none',
  ...(more.subAttributes ? { subAttributes: more.subAttributes.map(described) } : {}),
});

const ATTRIBUTES: Described[] = [
  {
    name: 'userName',
    description: "The user's sign-in name, which is also their address unless emails has one.",
    required: true,
    uniqueness: 'server',
  },
  {
    name: 'name',
    description: "The user's name.",
    type: 'complex',
    subAttributes: [
      { name: 'formatted', description: 'Full name.' },
      { name: 'familyName', description: 'Family name.' },
      { name: 'givenName', description: 'Given name.' },
    ],
  },
  { name: 'displayName', description: 'Name of a new account. Later changes leave the account as it is.' },
  {
    name: 'active',
    description: 'Whether the user may be a member of the team.',
    type: 'boolean',
  },
  {
    name: 'emails',
    description:
      "The user's address at the team's domain. One is kept: the primary, otherwise the work address.",
    type: 'complex',
    multiValued: true,
    subAttributes: [
      { name: 'value', description: 'The address.' },
      { name: 'type', description: 'Always work.' },
      { name: 'primary', description: 'Always true.', type: 'boolean' },
    ],
  },
];

export const userSchema = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id: USER_SCHEMA,
  name: 'User',
  description: 'User account',
  attributes: ATTRIBUTES.map(described),
  ...meta('Schema', `${base}/Schemas/${USER_SCHEMA}`),
});
