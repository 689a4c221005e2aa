import { describe, expect, it } from 'vitest';
import { utf8 } from '../bytes';
import { bodyHash, keysetDigest, reportData, signedText } from './aci';
import { verifyExchange, type Exchange } from './verifyAci';

/** The published test vectors of aci/1. */
const KEYSET = {
  subject: 'dstack-app://example-app',
  not_after: 1_800_000_000,
  receipt_signing_keys: [
    {
      key_id: 'receipt-1',
      algo: 'ed25519',
      public_key: '8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394',
    },
  ],
  e2ee_public_keys: [
    {
      key_id: 'e2ee-1',
      algo: 'x25519-aes-256-gcm-hkdf-sha256',
      public_key: '5dfedd3b6bd47f6fa28ee15d969d5bb0ea53774d488bdaf9df1c6e0124b3ef22',
    },
  ],
  tls_public_keys: [{ domain: 'api.example.com', spki_sha256: 'c0'.repeat(32) }],
};
const DIGEST = 'sha256:53a5cd44b30dcc51999754c719f2628a041f174ecbf9662a6f8e898a10cd9371';
const NONCE = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const REPORT_DATA = 'df2174d28130852b413646a3786927b93e94c11d770268b65def8bdba45cb49e';
const REQUEST = utf8('{"messages":[{"content":"hi","role":"user"}],"model":"demo-model"}');
const RESPONSE = utf8('{"choices":[],"id":"chatcmpl-123"}');
const RECEIPT = {
  api_version: 'aci/1',
  receipt_id: 'rcpt-0001',
  chat_id: 'chatcmpl-123',
  model: 'demo-model',
  workload_keyset_digest: DIGEST,
  endpoint: '/v1/chat/completions',
  method: 'POST',
  served_at: 1_750_000_000,
  event_log: [
    {
      type: 'request.received',
      body_hash: 'sha256:94d809bf47380d8a2eab0eb6e126d4dda9364b0b4725cdf7ead52dd70b2aa87b',
    },
    {
      type: 'request.forwarded',
      body_hash: 'sha256:94d809bf47380d8a2eab0eb6e126d4dda9364b0b4725cdf7ead52dd70b2aa87b',
    },
    {
      type: 'upstream.verified',
      result: 'verified',
      required: true,
      model_id: 'demo-model',
      session_id: '95ad1cb4dd25445808c2e9d116caf420b05703730b506395e8fc1ca6faeae28f',
    },
    {
      type: 'response.returned',
      body_hash: 'sha256:dedfffe5b14d031b8e2c01996d021a15293cb7c63b56be7e4be9e89b6f0a5f61',
    },
  ],
  key_id: 'receipt-1',
  signature:
    'd5b005e093bde3b577faf270b7184b09e169cacb0ecb206b103bd2581f997db03da616175454b063323a23ac1dc68f1ce506c2a6eba8aa0561d5e724f0b80c03',
};
const REPORT = {
  api_version: 'aci/1',
  workload_keyset_digest: DIGEST,
  attestation: { tee_type: 'tdx', workload_keyset: KEYSET, report_data: REPORT_DATA },
};
const NOW = new Date(1_790_000_000_000);
const EXCHANGE: Exchange = {
  report: REPORT,
  nonce: NONCE,
  receipt: RECEIPT,
  request: REQUEST,
  response: RESPONSE,
};

const statesOf = (change: Partial<Exchange>, now = NOW) =>
  Object.fromEntries(verifyExchange({ ...EXCHANGE, ...change }, now).map(({ id, state }) => [id, state]));
const failuresOf = (change: Partial<Exchange>, now = NOW) =>
  Object.entries(statesOf(change, now)).flatMap(([id, state]) => (state === 'failed' ? [id] : []));

describe('the published vectors', () => {
  it('have these digests', () => {
    expect(keysetDigest(KEYSET)).toBe(DIGEST);
    expect(reportData(DIGEST, NONCE)).toBe(REPORT_DATA);
    expect(reportData(DIGEST, null)).toBe('0633919ca3f00e97bafaa3304278eb22420cc3ff0d19f87dfca2d3f7508150bc');
    expect(bodyHash(utf8(signedText(RECEIPT)))).toBe(
      'sha256:1bd328e6880a5a12b3915af95ea32111310e04ab9e21ac3d71ce268e33b965c9',
    );
  });

  it('verify, except for what a browser can’t check', () => {
    expect(statesOf({})).toEqual({
      keyset: 'passed',
      fresh: 'passed',
      expiry: 'passed',
      tee: 'skipped',
      signature: 'passed',
      document: 'passed',
      request: 'passed',
      response: 'passed',
      channel: 'skipped',
    });
  });
});

describe('a modified exchange', () => {
  const flipped = (bytes: Uint8Array, at: number) =>
    bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));

  it('fails if any byte of a body changes', () => {
    for (let at = 0; at < REQUEST.length; at++)
      expect(failuresOf({ request: flipped(REQUEST, at) })).toEqual(['request']);
    for (let at = 0; at < RESPONSE.length; at++)
      expect(failuresOf({ response: flipped(RESPONSE, at) })).toEqual(['response']);
  });

  it('fails if any value of the receipt changes', () => {
    for (const name of Object.keys(RECEIPT).filter((one) => one !== 'event_log')) {
      const value = RECEIPT[name as keyof typeof RECEIPT];
      const other = typeof value === 'number' ? value + 1 : `${String(value).slice(0, -1)}x`;
      expect(failuresOf({ receipt: { ...RECEIPT, [name]: other } }), name).toContain('signature');
    }
    const event_log = RECEIPT.event_log.slice(0, 3);
    expect(failuresOf({ receipt: { ...RECEIPT, event_log } })).toEqual(['signature', 'response']);
    expect(failuresOf({ receipt: { ...RECEIPT, more: 1 } })).toEqual(['signature']);
  });

  it('fails with another challenge, with other or expired keys, and without a TEE', () => {
    expect(failuresOf({ nonce: '00'.repeat(32) })).toEqual(['fresh']);
    const attestation = { ...REPORT.attestation, workload_keyset: { ...KEYSET, subject: 'another' } };
    expect(failuresOf({ report: { ...REPORT, attestation } })).toEqual(['keyset', 'fresh', 'document']);
    expect(failuresOf({}, new Date(1_800_000_000_000))).toEqual(['expiry']);
    expect(failuresOf({}, new Date(1_700_000_000_000))).toEqual(['expiry']);
    expect(
      failuresOf({ report: { ...REPORT, attestation: { ...REPORT.attestation, tee_type: 'none' } } }),
    ).toEqual(['tee']);
  });

  it('is rejected if malformed', () => {
    expect(failuresOf({ report: null })).toEqual(['keyset']);
    expect(failuresOf({ receipt: { error: 'none' } })).toEqual(['document']);
    expect(failuresOf({ receipt: { ...RECEIPT, signature: 'zz' } })).toEqual(['signature']);
  });
});
