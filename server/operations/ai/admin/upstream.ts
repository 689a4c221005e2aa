import { capitalized } from '../../../../console/lib/texts/capitalized';
import type { AiUpstreamRow } from '../../../db/ai/aiTables';
import { adminAiUpstreams } from '../../../db/ai/aiUpstreams';
import { adminOne } from '../../../db/core/adminList';
import { adminAiUpstreamOut } from '../../../domain/ai/adminAiResponse';
import { outboundPolicy, urlRefusal } from '../../../domain/core/outbound';
import { checkAiUpstream } from '../../../jobs/ai/checkUpstreams';
import { etagOf } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { missing } from '../../core/admin/resource';
import { aiUpstreams } from '../../core/admin/resourcesAi';
import type { Context } from '../../types';

export const UPSTREAM_NAMES = {
  ai_upstreams_name_key: { field: 'name', message: 'An AI upstream with this name already exists.' },
};

/** @throws VALIDATION_FAILED for a URL that paths can't be appended to */
export function checkedUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed) throw invalid('url', 'Enter a URL, such as https://models.example.com/v1.');
  if (parsed.username !== '' || parsed.password !== '')
    throw invalid('url', 'Enter the API key in its own field.');
  if (parsed.search !== '' || parsed.hash !== '') throw invalid('url', 'Enter the URL without ? and #.');
  // Normalized: the parser accepts spaces around a URL, which would end up in the middle once a path is appended.
  return parsed.href.replace(/\/+$/, '');
}

/** As `checkedUrl`. @throws VALIDATION_FAILED also for addresses this server must not connect to */
export function reachableUrl({ config }: Pick<Context, 'config'>, text: string): string {
  const url = checkedUrl(text);
  const refusal = urlRefusal(new URL(url), outboundPolicy(config));
  if (refusal !== null) throw invalid('url', `${capitalized(refusal)}.`);
  return url;
}

/** @throws VALIDATION_FAILED if the key can't be a header value */
export function sealedKey({ seal }: Pick<Context, 'seal'>, api_key: string | null): string | null {
  if (api_key === null) return null;
  if (!/^[\x21-\x7e]+$/.test(api_key))
    throw invalid('api_key', 'An API key can’t contain spaces, line breaks or special characters.');
  return seal.seal('ai-upstream', api_key);
}

type Evidence = Pick<AiUpstreamRow, 'evidence_required' | 'accepted_app_ids' | 'accepted_kms_keys' | 'url'>;

/** Returns the given lists, normalized for storage and comparison. */
export const acceptedOf = (given: {
  accepted_app_ids?: readonly string[] | undefined;
  accepted_kms_keys?: readonly string[] | undefined;
}): Partial<Pick<Evidence, 'accepted_app_ids' | 'accepted_kms_keys'>> => ({
  ...(given.accepted_app_ids === undefined ? {} : { accepted_app_ids: bare(given.accepted_app_ids) }),
  ...(given.accepted_kms_keys === undefined ? {} : { accepted_kms_keys: bare(given.accepted_kms_keys) }),
});
const bare = (texts: readonly string[]) => [
  ...new Set(texts.map((text) => text.toLowerCase().replace(/^(app_|0x)/, ''))),
];

/** @throws VALIDATION_FAILED where evidence is required and could never be accepted */
export function checkEvidence({
  evidence_required,
  url,
  accepted_app_ids,
  accepted_kms_keys,
}: Evidence): void {
  if (!evidence_required) return;
  if (!url.startsWith('https://'))
    throw invalid('url', 'Enter an https:// URL: the evidence covers the TLS connection’s key.');
  if (accepted_app_ids.length === 0)
    throw invalid('accepted_app_ids', 'Enter the ID of at least one app that may answer.');
  if (accepted_kms_keys.length === 0)
    throw invalid('accepted_kms_keys', 'Enter the root key of at least one key management service.');
}

/** Checks an upstream now. @returns the reply with the result @throws NOT_FOUND */
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
