import { useMutation, useQueryClient } from '@tanstack/react-query';
import { putSso } from '../../../../generated/api/sdk.gen';
import type { PutSso, SsoSettings } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { sendIfUnchanged, useVersionedForm, type IfMatch } from '../../../api/versions';
import { scimOptions, ssoOptions } from './queries';
import { asPut, NEW_CONNECTION, PUT_FIELDS } from './ssoState';

type Guard = <T>(request: (version: IfMatch) => Promise<T>) => Promise<T>;

/** Saves the whole connection and updates the page with the stored result. */
export function useSave(slug: string, guard: Guard, onSaved?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: PutSso) =>
      guard(async (version) => {
        const headers = { ...inTeam(slug).headers, ...version };
        return (await putSso({ headers, path: { slug }, body, throwOnError: true })).data;
      }),
    onSuccess: (settings) => {
      queryClient.setQueryData(ssoOptions(slug).queryKey, settings);
      // Another issuer or domain revokes the SCIM token.
      void queryClient.invalidateQueries({ queryKey: scimOptions(slug).queryKey });
      onSaved?.();
    },
    onError: () => queryClient.invalidateQueries({ queryKey: ssoOptions(slug).queryKey }),
  });
}

/** Guard for a toggle: any concurrent change conflicts, because the whole connection is sent. */
export const ifConnectionUnchanged =
  ({ etag }: SsoSettings): Guard =>
  (request) =>
    sendIfUnchanged(etag, PUT_FIELDS, request);

/** Form state for part of the connection. Holds all of it, so that saving one part doesn't revert another. */
export function useSsoForm(slug: string, { connection, etag }: SsoSettings) {
  const queryClient = useQueryClient();
  return useVersionedForm<PutSso>(
    { values: connection ? asPut(connection) : NEW_CONNECTION, etag },
    {
      fields: PUT_FIELDS,
      refresh: () => queryClient.refetchQueries({ queryKey: ssoOptions(slug).queryKey }),
    },
  );
}
