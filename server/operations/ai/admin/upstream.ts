import { adminAiUpstreams } from '../../../db/ai/aiUpstreams';
import { adminOne } from '../../../db/core/adminList';
import { adminAiUpstreamOut } from '../../../domain/ai/adminAiResponse';
import { checkAiUpstream } from '../../../jobs/ai/checkUpstreams';
import { etagOf, invalid } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { aiUpstreams } from '../../core/admin/resourcesAi';
import type { Context } from '../../types';

export const UPSTREAM_NAMES = {
  ai_upstreams_name_key: { field: 'name', message: 'An AI upstream with this name already exists.' },
};

/** @throws VALIDATION_FAILED for a URL that requests can't be appended to */
export function checkedUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed) throw invalid('url', 'Enter a URL, such as https://models.example.com/v1.');
  if (parsed.username !== '' || parsed.password !== '')
    throw invalid('url', 'Enter the API key in its own field.');
  if (parsed.search !== '' || parsed.hash !== '') throw invalid('url', 'Enter the URL without ? and #.');
  // Normalized: the parser accepts spaces around a URL, which would end up inside when a path is appended.
  return parsed.href.replace(/\/+$/, '');
}

/** @throws VALIDATION_FAILED for what can't be a header's value */
export function sealedKey({ seal }: Pick<Context, 'seal'>, api_key: string | null): string | null {
  if (api_key === null) return null;
  if (!/^[\x21-\x7e]+$/.test(api_key))
    throw invalid('api_key', 'An API key has no spaces, line breaks or special characters.');
  return seal.seal('ai-upstream', api_key);
}

/** Checks an upstream now. @returns the reply with what was found @throws NOT_FOUND */
export async function checkedReply(ctx: Context, id: number) {
  const row = await adminOne(ctx.db, adminAiUpstreams, id);
  if (!row) throw missing(aiUpstreams, id);
  await checkAiUpstream(ctx, row);
  const checked = await adminOne(ctx.db, adminAiUpstreams, id);
  if (!checked) throw missing(aiUpstreams, id);
  return {
    status: 200,
    headers: { ETag: etagOf(aiUpstreams.name, checked.id, checked.updated_at) },
    body: adminAiUpstreamOut(checked),
  } as const;
}
