import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyAnswer, verifyExchange } from '../../../console/lib/ai/verifyAci';
import { bodyHash } from '../../../console/lib/ai/aci';
import { createSeal, type Seal } from '../core/seal';
import { createAci } from './aci';
import { readChannel } from './e2ee/channel';
import { openField, sealField, X25519, SECP256K1, type Suite } from './e2ee/suites';
import { createLegacySigners, LEGACY_ALGOS } from './legacyProof';

/**
 * Processes of one installation before, during and after a rotation of its secret. Each round restarts them one
 * by one.
 */
const [old, fresh] = ['old', 'new'].map((name) => Buffer.from(name.padEnd(32, '.'))) as [Buffer, Buffer];
const rounds = [createSeal(old), createSeal(old, fresh), createSeal(fresh, old), createSeal(fresh)];
const pairs = rounds.slice(1).flatMap((seal, n) => {
  const earlier = rounds[n] as Seal;
  const name = `restarted in round ${n + 1}`;
  return [
    { name: `one ${name} and one that wasn't`, asked: seal, serving: earlier },
    { name: `one not yet ${name} and one that was`, asked: earlier, serving: seal },
  ];
});

describe.each(pairs)('a client of $name', ({ asked, serving }) => {
  it("verifies the signature of a receipt with another process's keys", () => {
    const nonce = randomBytes(32).toString('hex');
    const bytes = Buffer.from('{}');
    const receipt = createAci(serving).receipt({
      receipt_id: 'rcpt-1',
      chat_id: 'chatcmpl-1',
      model: 'acme/large',
      endpoint: '/v1/chat/completions',
      served_at: new Date(),
      event_log: [
        { type: 'request.received', body_hash: bodyHash(bytes) },
        { type: 'response.returned', body_hash: bodyHash(bytes) },
      ],
    });
    const report = createAci(asked).report(nonce);
    const checks = verifyExchange({ report, nonce, receipt, request: bytes, response: bytes });
    expect(checks.find(({ id }) => id === 'signature')).toMatchObject({ state: 'passed' });
    expect(checks.find(({ id }) => id === 'keyset')).toMatchObject({ state: 'passed' });
  });

  it.each([X25519, SECP256K1])(
    "is understood when it encrypts to another process's key, $algo",
    (suite: Suite) => {
      const key = publishedKeys(asked).find(({ algo }) => algo === suite.algo)?.public_key ?? '';
      const headers: Record<string, string> = {
        'x-e2ee-version': '2',
        'x-client-pub-key': suite.pair().public_key.toString('hex'),
        'x-model-pub-key': key,
        'x-e2ee-nonce': 'ab'.repeat(32),
        'x-e2ee-timestamp': String(Math.floor(Date.now() / 1000)),
      };
      const channel = readChannel((name) => headers[name], createAci(serving).e2eeKeys, new Date());
      const sealed = sealField(suite, Buffer.from(key, 'hex'), 'Hello', 'here');
      expect(channel && openField(suite, channel.key.pair, sealed, 'here')).toBe('Hello');
    },
  );
});

it('a client reads the report again if a receipt names other keys, and only then', async () => {
  const [before, after] = [createAci(rounds[0] as Seal), createAci(rounds[3] as Seal)];
  const bytes = Buffer.from('{}');
  const proofOf = (aci: typeof before) => ({
    receipt: aci.receipt({
      receipt_id: 'rcpt-1',
      chat_id: 'chatcmpl-1',
      model: 'acme/large',
      endpoint: '/v1/chat/completions',
      served_at: new Date(),
      event_log: [
        { type: 'request.received', body_hash: bodyHash(bytes) },
        { type: 'response.returned', body_hash: bodyHash(bytes) },
      ],
    }),
    request: bytes,
    response: bytes,
  });
  let reads = 0;
  const readReport = (aci: typeof before) => () => {
    reads++;
    const nonce = randomBytes(32).toString('hex');
    return Promise.resolve({ nonce, report: aci.report(nonce) });
  };
  const verified = async (
    known: Awaited<ReturnType<ReturnType<typeof readReport>>>,
    serving: typeof before,
  ) => {
    const { checks } = await verifyAnswer(known, proofOf(serving), readReport(serving));
    return checks.filter(({ id }) => id !== 'tee').every(({ state }) => state !== 'failed');
  };
  const known = await readReport(before)();
  reads = 0;
  expect(await verified(known, before)).toBe(true);
  expect(reads).toBe(0);
  expect(await verified(known, after)).toBe(true);
  expect(reads).toBe(1);
  // Another gateway's receipt never matches this one's keys, even if its report is read repeatedly.
  const { checks } = await verifyAnswer(known, proofOf(after), readReport(before));
  expect(checks.filter(({ state }) => state === 'failed').map(({ id }) => id)).toContain('signature');
});

it('each key has the same, unique name in every process', () => {
  const named = rounds.flatMap((seal) => keysOf(seal));
  const byName = new Map(named.map(({ key_id, public_key }) => [key_id, public_key]));
  expect(new Set(named.map(({ public_key }) => public_key)).size).toBe(byName.size);
  for (const { key_id, public_key } of named) expect(byName.get(key_id)).toBe(public_key);
});

it.each(LEGACY_ALGOS)("each process's report has the %s address that the other signs with", (algo) => {
  const [first, second] = [rounds[1], rounds[2]].map((seal) => createLegacySigners(seal as Seal)[algo]);
  expect(first?.current.address).not.toBe(second?.current.address);
  expect(first?.all.map(({ address }) => address)).toContain(second?.current.address);
  expect(second?.all.map(({ address }) => address)).toContain(first?.current.address);
});

interface Key {
  key_id: string;
  algo: string;
  public_key: string;
}
interface Keys {
  receipt_signing_keys: Key[];
  e2ee_public_keys: Key[];
}
const keysetOf = (seal: Seal) =>
  (createAci(seal).report(null).attestation as { workload_keyset: Keys }).workload_keyset;
const publishedKeys = (seal: Seal) => keysetOf(seal).e2ee_public_keys;
const keysOf = (seal: Seal) => [...keysetOf(seal).receipt_signing_keys, ...publishedKeys(seal)];
