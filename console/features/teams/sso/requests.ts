import { client } from '../../../../generated/api/client.gen';
import type {
  DiscoverSso,
  DiscoverSsoData,
  DiscoverSsoResponses,
  StartSso,
  StartSsoData,
  StartSsoResponses,
} from '../../../../generated/api/types.gen';

// Not from sdk.gen: that module contains every operation, and the sign-in page must stay small.

const discoverUrl: DiscoverSsoData['url'] = '/auth/sso/discover';
const startUrl: StartSsoData['url'] = '/auth/sso/start';
const json = { headers: { 'Content-Type': 'application/json' }, throwOnError: true } as const;

/** The connection of an address's domain, or null. */
export const discover = async (body: DiscoverSso) =>
  (await client.post<DiscoverSsoResponses, unknown, true>({ ...json, url: discoverUrl, body })).data
    .connection;

/** Leaves for the provider, which redirects back. */
export async function leaveForProvider(body: StartSso): Promise<void> {
  const { data } = await client.post<StartSsoResponses, unknown, true>({ ...json, url: startUrl, body });
  location.assign(data.authorization_url);
}
