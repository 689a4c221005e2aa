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
 * The requests that stand before every page. They go through the generated client with the generated types, but not
 * through sdk.gen and react-query.gen: those are one module each with every operation of the product, and would be in
 * the first chunk that a browser loads.
 */
export type Key = readonly [{ _id: string; baseUrl: string; tags: readonly string[] }];

export const key = (_id: string): Key => [{ _id, baseUrl: '/api/v1', tags: ['auth'] }];

export const json = { headers: { 'Content-Type': 'application/json' }, throwOnError: true } as const;

/** Type parameter: the responses of the operation, by status. */
export const post = async <R>(url: string, body: unknown): Promise<R[keyof R]> =>
  (await client.post<R, unknown, true>({ ...json, url, body })).data as R[keyof R];

/** A POST without a body. */
export const ask = async <R>(url: string): Promise<R[keyof R]> =>
  (await client.post<R, unknown, true>({ url, throwOnError: true })).data as R[keyof R];

const sessionUrl: GetSessionData['url'] = '/session';
const signInUrl: CreateSessionData['url'] = '/auth/session';
const passkeyChallengeUrl: CreatePasskeyChallengeData['url'] = '/auth/passkey/challenge';
const passkeyUrl: CreatePasskeySessionData['url'] = '/auth/passkey';

/** The server's answer of this moment, past the cache. */
export const fetchSession = async (signal?: AbortSignal): Promise<Session> =>
  (
    await client.get<GetSessionResponses, unknown, true>({
      url: sessionUrl,
      ...(signal ? { signal } : {}),
      throwOnError: true,
    })
  ).data;

/** Who is signed in, their teams, what they may do, how the server is set up: asked for once, before the first page. */
export const sessionOptions = () =>
  queryOptions<Session, ApiError, Session, Key>({
    // As getSessionQueryKey makes it, so that both name one entry.
    queryKey: key('getSession'),
    queryFn: ({ signal }) => fetchSession(signal),
    staleTime: 5 * 60_000,
  });

/** Sets the session cookie; or, when a second factor is needed, one that names the sign-in that waits. */
export const signIn = (body: CreateSession) => post<CreateSessionResponses>(signInUrl, body);

/** Whether the answer of `signIn` is a sign-in that waits for a second factor. */
export const isPending = (answer: Session | PendingSignIn): answer is PendingSignIn => 'methods' in answer;

/** A challenge that names nobody, for the passkeys this device knows. */
export const passkeyChallenge = () => ask<CreatePasskeyChallengeResponses>(passkeyChallengeUrl);

export const signInWithPasskey = (credential: PasskeyAnswer['credential']) =>
  post<CreatePasskeySessionResponses>(passkeyUrl, { credential } satisfies PasskeyAnswer);
