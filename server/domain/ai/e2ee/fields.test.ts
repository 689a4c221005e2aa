import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { requestAad, type Channel } from './channel';
import { openRequest } from './fields';
import { sealField, SECP256K1, X25519, type Suite } from './suites';

/** Creates a channel between a client and a gateway with new keys. */
function channelOf(suite: Suite) {
  const pair = suite.pair();
  const channel: Channel = {
    key: { suite, key_id: 'e2ee-test-1', pair },
    client_key: suite.pair().public_key,
    nonce: randomBytes(32).toString('hex'),
    timestamp: 1_750_000_000,
  };
  const seal = (field: string, text: string) =>
    sealField(suite, pair.public_key, text, requestAad(channel, { model: 'acme/large', field }));
  const open = async (contents: readonly string[], model = 'acme/large') => {
    const messages = contents.map((content) => ({ role: 'user', content }));
    const json = Buffer.from(JSON.stringify({ model, messages }));
    const { body } = await openRequest(channel, 'chat.completions', json);
    return (JSON.parse(body.toString()) as { messages: { content: string }[] }).messages.map(
      ({ content }) => content,
    );
  };
  return { seal, open };
}

describe.each([X25519, SECP256K1])('with $algo', (suite) => {
  it.each<[string, (seal: string) => string]>([
    ['lacks its last digit', (seal) => seal.slice(0, -1)],
    ['was cut', (seal) => seal.slice(0, 100)],
    ['has a prefix', (seal) => `0x${seal}`],
    ['ends with a line break', (seal) => `${seal}\n`],
    ['has another character', (seal) => `${seal.slice(0, 150)}g${seal.slice(151)}`],
  ])('a value that %s is refused, even beside a valid one', async (_what, changed) => {
    const { seal, open } = channelOf(suite);
    const right = seal('messages.0.content', 'Be brief');
    const wrong = changed(seal('messages.1.content', 'My secret question, which is long enough'));
    await expect(open([right, wrong])).rejects.toMatchObject({
      status: 400,
      type: 'e2ee_decryption_failed',
      param: 'messages.1.content',
      message: expect.stringContaining('looks like an encrypted value but is malformed') as string,
    });
  });

  it('a hash is text', async () => {
    const { seal, open } = channelOf(suite);
    const hash = randomBytes(32).toString('hex');
    const clear = [hash, `${hash}  compose.yaml`];
    expect(await open([...clear, seal('messages.2.content', 'Hi')])).toEqual([...clear, 'Hi']);
  });

  it.each([
    ['nested', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['long', `[{}${',{}'.repeat(50_000)}]`],
  ])('a content that looks like parts but is too %s stays a text', async (_what, text) => {
    const { seal, open } = channelOf(suite);
    expect(await open([seal('messages.0.content', text)])).toEqual([text]);
    const parts = [{ type: 'text', text: 'Hi' }];
    expect(await open([seal('messages.0.content', JSON.stringify(parts))])).toEqual([parts]);
  });

  it('a model’s name has a limit, because every value is bound to it', async () => {
    const { seal, open } = channelOf(suite);
    await expect(open([seal('messages.0.content', 'Hi')], 'x'.repeat(201))).rejects.toMatchObject({
      status: 400,
      type: 'e2ee_invalid_payload_model',
    });
  });

  it('other requests are served while values are decrypted', async () => {
    const { seal, open } = channelOf(suite);
    const contents = Array.from({ length: 100 }, (_, m) => seal(`messages.${m}.content`, String(m)));
    let turns = 0;
    let isOpening = true;
    const turn = () => {
      turns++;
      if (isOpening) setImmediate(turn);
    };
    setImmediate(turn);
    const opened = await open(contents).finally(() => (isOpening = false));
    expect(opened).toEqual(contents.map((_, m) => String(m)));
    expect(turns).toBeGreaterThanOrEqual(90);
  });
});
