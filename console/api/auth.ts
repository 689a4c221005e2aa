import { queryOptions } from '@tanstack/react-query';
import { client } from '../../generated/api/client.gen';
import type {
  CreatePasskeyChallengeData,
  CreatePasskeyChallengeResponses,
  CreatePasskeySessionData,
  CreatePasskeySessionResponses,
  CreateSession,
  CreateSessionData,
  CreateSessionResponses,
  GetSessionData,
  GetSessionResponses,
  PasskeyAnswer,
  PendingSignIn,
  Session,
} from '../../generated/api/types.gen';
import type { ApiError } from './apiError';

/*
 * Requests that every page depends on. They use the generated client and types, but not sdk.gen and
 * react-query.gen: each of those is a single module with every operation, which would inflate the browser's first
 * chunk.
 */
export type Key = readonly [{ _id: string; baseUrl: string; tags: readonly string[] }];

export const key = (_id: string): Key => [{ _id, baseUrl: '/api/v1', tags: ['auth'] }];

export const json = { headers: { 'Content-Type': 'application/json' }, throwOnError: true } as const;

/** Type parameter: the responses of the operation, by status. */
export const post = async <R>(url: string, body: unknown): Promise<R[keyof R]> =>
  (await client.post<R, unknown, true>({ ...json, url, body })).data as R[keyof R];

/** Sends a POST without a body. */
export const ask = async <R>(url: string): Promise<R[keyof R]> =>
  (await client.post<R, unknown, true>({ url, throwOnError: true })).data as R[keyof R];

const sessionUrl: GetSessionData['url'] = '/session';
const signInUrl: CreateSessionData['url'] = '/auth/session';
const passkeyChallengeUrl: CreatePasskeyChallengeData['url'] = '/auth/passkey/challenge';
const passkeyUrl: CreatePasskeySessionData['url'] = '/auth/passkey';

/** Fetches the session, bypassing the cache. */
export const fetchSession = async (signal?: AbortSignal): Promise<Session> =>
  (
    await client.get<GetSessionResponses, unknown, true>({
      url: sessionUrl,
      ...(signal ? { signal } : {}),
      throwOnError: true,
    })
  ).data;

/** The user, their teams and permissions, and the server's settings. Fetched once, before the first page. */
export const sessionOptions = () =>
  queryOptions<Session, ApiError, Session, Key>({
    // Matches getSessionQueryKey, so that both share one cache entry.
    queryKey: key('getSession'),
    queryFn: ({ signal }) => fetchSession(signal),
    staleTime: 5 * 60_000,
  });

/** Sets the session cookie, or the pending sign-in's cookie if a second factor is required. */
export const signIn = (body: CreateSession) => post<CreateSessionResponses>(signInUrl, body);

/** Whether the response to `signIn` is a sign-in waiting for a second factor. */
export const isPending = (answer: Session | PendingSignIn): answer is PendingSignIn => 'methods' in answer;

/** Requests a challenge without a user, for discoverable passkeys. */
export const passkeyChallenge = () => ask<CreatePasskeyChallengeResponses>(passkeyChallengeUrl);

export const signInWithPasskey = (credential: PasskeyAnswer['credential']) =>
  post<CreatePasskeySessionResponses>(passkeyUrl, { credential } satisfies PasskeyAnswer);
