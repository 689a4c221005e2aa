import { queryOptions } from '@tanstack/react-query';
import { client } from '../../generated/api/client.gen';
import type {
  CreateSession,
  CreateSessionData,
  CreateSessionResponses,
  GetSessionData,
  GetSessionResponses,
  RegisterUser,
  RegisterUserData,
  RegisterUserResponses,
  Session,
} from '../../generated/api/types.gen';
import type { ApiError } from './apiError';

/*
 * The requests that stand before every page. They go through the generated client with the generated types, but not
 * through sdk.gen and react-query.gen: those are one module each with every operation of the product, and would be in
 * the first chunk that a browser loads.
 */

const sessionUrl: GetSessionData['url'] = '/session';
const signInUrl: CreateSessionData['url'] = '/auth/session';
const registerUrl: RegisterUserData['url'] = '/auth/register';

/** Who is signed in, their teams, what they may do, how the server is set up: asked for once, before the first page. */
export const sessionOptions = () =>
  queryOptions<
    Session,
    ApiError,
    Session,
    readonly [{ _id: string; baseUrl: string; tags: readonly string[] }]
  >({
    // As getSessionQueryKey makes it, so that both name one entry.
    queryKey: [{ _id: 'getSession', baseUrl: '/api/v1', tags: ['auth'] }],
    queryFn: async ({ signal }) =>
      (await client.get<GetSessionResponses, unknown, true>({ url: sessionUrl, signal, throwOnError: true }))
        .data,
    staleTime: 5 * 60_000,
  });

const json = { headers: { 'Content-Type': 'application/json' }, throwOnError: true } as const;

/** Sets the session cookie. */
export const signIn = async (body: CreateSession) =>
  (await client.post<CreateSessionResponses, unknown, true>({ ...json, url: signInUrl, body })).data;

export const register = async (body: RegisterUser) =>
  (await client.post<RegisterUserResponses, unknown, true>({ ...json, url: registerUrl, body })).data;
