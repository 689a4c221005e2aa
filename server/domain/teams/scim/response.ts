import { USER_SCHEMA } from './filter';

/** The base URL to enter at the identity provider. */
export const scimBase = ({ publicUrl }: { publicUrl: string }) => `${publicUrl}/scim/v2`;

interface UserFields {
  public_id: string;
  user_name: string;
  email: string;
  external_id: string | null;
  display_name: string | null;
  formatted_name: string | null;
  given_name: string | null;
  family_name: string | null;
  active: boolean;
  created_at: Date;
  updated_at: Date;
}

/** Returns a user in SCIM's form. Attributes without a value are left out (RFC 7643 §2.5). */
export function scimUserOut(base: string, row: UserFields) {
  const name = present({
    formatted: row.formatted_name,
    familyName: row.family_name,
    givenName: row.given_name,
  });
  return {
    schemas: [USER_SCHEMA],
    id: row.public_id,
    ...present({ externalId: row.external_id }),
    userName: row.user_name,
    ...(Object.keys(name).length > 0 ? { name } : {}),
    ...present({ displayName: row.display_name }),
    active: row.active,
    emails: [{ value: row.email, type: 'work', primary: true }],
    meta: {
      resourceType: 'User',
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location: scimUserUrl(base, row),
    },
  };
}

export const scimUserUrl = (base: string, { public_id }: Pick<UserFields, 'public_id'>) =>
  `${base}/Users/${public_id}`;

/** RFC 7644 §3.4.2. */
export const scimListOut = (resources: readonly object[], total: number, startIndex: number) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

const present = (values: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null));
