import type { ApiToken, DefaultVersion } from '../../../generated/api/types.gen';
import { placeOf } from '../core/country';
import { tokenVersion } from './teamVersions';
import { tokenHint } from './token';

export interface ApiTokenFields {
  public_id: string;
  name: string;
  token_prefix: string;
  token_last4: string;
  scopes: string[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  last_used_ip: string | null;
  default_version: string | null;
  owner_public_id: string;
  owner_username: string;
  owner_avatar: string;
}

export const apiTokenOut = (row: ApiTokenFields, now = new Date()): ApiToken => {
  const shown = {
    id: row.public_id,
    name: row.name,
    kind: row.token_prefix.startsWith('thk_cli_') ? 'cli' : 'api',
    prefix: tokenHint(row),
    scopes: row.scopes,
    state: stateOf(row, now),
    owner: {
      object_type: 'user',
      id: row.owner_public_id,
      username: row.owner_username,
      avatar_url: row.owner_avatar || null,
    },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_used_from: row.last_used_ip === null ? null : from(row.last_used_ip),
    // The operations that write it accept no other value.
    default_version: row.default_version as DefaultVersion,
  } as const;
  return { ...shown, etag: tokenVersion.etag(row, shown) };
};

const stateOf = ({ revoked_at, expires_at }: ApiTokenFields, now: Date): ApiToken['state'] =>
  revoked_at !== null ? 'revoked' : expires_at !== null && expires_at <= now ? 'expired' : 'active';

function from(ip: string): string {
  const place = placeOf(ip);
  return place === 'Unknown' ? ip : `${ip} (${place})`;
}
