import type { ScimSettings } from '../../../../generated/api/types.gen';
import { scimBase } from './response';

interface TokenFields {
  hint: string;
  created_by: string | null;
  created_at: Date;
  last_used_at: Date | null;
}

export const scimSettingsOut = (config: { publicUrl: string }, token: TokenFields | null): ScimSettings => ({
  base_url: scimBase(config),
  token: token && {
    hint: token.hint,
    created_by: token.created_by,
    created_at: token.created_at.toISOString(),
    last_used_at: token.last_used_at?.toISOString() ?? null,
  },
});
