import { afterEach, expect, test, vi } from 'vitest';
import { client } from '../../../../generated/api/client.gen';
import { addPasskey } from './addPasskey';

// Test files share the client.
const before = client.getConfig();
afterEach(() => {
  client.setConfig(before);
  vi.unstubAllGlobals();
});

test('creates a passkey that can open a vault', async () => {
  const empty = new ArrayBuffer(0);
  const create = vi.fn(async (_options: { publicKey: { extensions: object } }) => ({
    id: 'AQIDBA',
    rawId: empty,
    type: 'public-key',
    response: { attestationObject: empty, clientDataJSON: empty },
    getClientExtensionResults: () => ({ prf: { enabled: true } }),
  }));
  vi.stubGlobal('PublicKeyCredential', function PublicKeyCredential() {});
  vi.stubGlobal('navigator', { credentials: { create } });
  const sent: unknown[] = [];
  client.setConfig({
    baseUrl: 'http://console.test/api/v1',
    fetch: async (request) => {
      const { url } = request as Request;
      if (url.endsWith('/challenge'))
        return Response.json({
          options: { challenge: 'AQID', user: { id: 'AQID' }, extensions: { credProps: true } },
        });
      sent.push(await (request as Request).json());
      return Response.json({ passkey: {}, codes: null }, { status: 201 });
    },
  });
  await addPasskey('Laptop');
  // Security keys and some systems enable the extension only when the passkey is created.
  expect(create.mock.calls[0]?.[0].publicKey.extensions).toEqual({ credProps: true, prf: {} });
  expect(sent).toMatchObject([{ name: 'Laptop', credential: { id: 'AQIDBA' } }]);
});
