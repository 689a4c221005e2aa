import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { client } from '../../../../generated/api/client.gen';
import { scimOptions, ssoOptions } from './queries';
import { NEW_CONNECTION } from './ssoState';
import { useSave } from './useSave';

// Test files share the client.
const before = client.getConfig();
afterEach(() => void client.setConfig(before));

test('a saved provider shows its new settings and reads the SCIM token again, which it may have revoked', async () => {
  const settings = { connection: null, redirect_uri: 'https://console.test/callback', etag: 's1' };
  client.setConfig({ baseUrl: 'http://console.test/api/v1', fetch: async () => Response.json(settings) });
  const queryClient = new QueryClient();
  const { queryKey } = scimOptions('acme');
  queryClient.setQueryData(queryKey, { base_url: 'https://console.test/scim/v2', token: null });
  const form = vi.fn<(save: ReturnType<typeof useSave>) => void>();
  function Form() {
    form(useSave('acme', (request) => request({ 'If-Match': '"s1"' })));
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <Form />
    </QueryClientProvider>,
  );
  await form.mock.lastCall![0].mutateAsync(NEW_CONNECTION);
  expect(queryClient.getQueryData(ssoOptions('acme').queryKey)).toEqual(settings);
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
});
