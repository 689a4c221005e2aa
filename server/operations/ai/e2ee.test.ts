import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyHash } from '../../../console/lib/ai/aci';
import type { AdminAiUpstream, AiRequestPage, CreatedAiKey } from '../../../generated/api/types.gen';
import { requestAad, responseAad, type Channel } from '../../domain/ai/e2ee/channel';
import { openField, sealField, SECP256K1, X25519, type Suite } from '../../domain/ai/e2ee/suites';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { startModelServer, whole, type ModelServer, type Script } from './testing/modelServer';

/** E2EE v2 as its clients use it: keys from the report, encrypted fields, receipts over what was sent. */
let server: TestServer;
let admin: TestClient;
let model: ModelServer;
let secret: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.register('admin@example.test');
  model = await startModelServer(whole);
  const added = await admin.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: model.url } });
  const made = await admin.call('createAdminAiModel', {
    body: {
      model: 'acme/large',
      name: 'Large',
      context_length: 10_000,
      input_price: '0',
      cached_input_price: '0',
      output_price: '0',
      endpoints: ['chat.completions', 'completions', 'embeddings', 'responses'],
      upstreams: [{ upstream_id: (added.body as AdminAiUpstream).id, model: 'base' }],
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  secret = ((await admin.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey).secret;
});
afterAll(async () => {
  await server.stop();
  await model.stop();
});
beforeEach(() => {
  model.calls.length = 0;
  model.script = whole;
});

async function serviceKey(algo: string): Promise<string> {
  const report = (await (await fetch(`${server.url}/v1/aci/attestation`)).json()) as {
    attestation: { workload_keyset: { e2ee_public_keys: { algo: string; public_key: string }[] } };
    service_capabilities: { supported_e2ee_versions: string[] };
  };
  expect(report.service_capabilities.supported_e2ee_versions).toEqual(['2']);
  const found = report.attestation.workload_keyset.e2ee_public_keys.find((key) => key.algo === algo);
  return found?.public_key ?? '';
}

/** A client with its own key pair. */
async function client(suite: Suite) {
  const own = suite.pair();
  const service = await serviceKey(suite.algo);
  const channel: Channel = {
    key: { suite, key_id: '', pair: own },
    client_key: own.public_key,
    nonce: randomBytes(32).toString('hex'),
    timestamp: Math.floor(Date.now() / 1000),
  };
  return {
    headers: {
      'x-e2ee-version': '2',
      'x-client-pub-key': own.public_key.toString('hex'),
      'x-model-pub-key': service,
      'x-e2ee-nonce': channel.nonce,
      'x-e2ee-timestamp': String(channel.timestamp),
    } as Record<string, string>,
    seal: (field: string, text: string, name = 'acme/large') =>
      sealField(suite, Buffer.from(service, 'hex'), text, requestAad(channel, { model: name, field })),
    open: (field: string, hex: string, id: string, name = 'acme/large') =>
      openField(suite, own, hex, responseAad(channel, { model: name, field, id })),
  };
}

const post = (path: string, headers: Record<string, string>, body: unknown) =>
  fetch(`${server.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const errorOf = async (reply: Response) => {
  const { error } = (await reply.json()) as { error: Record<string, unknown> };
  return { status: reply.status, ...error };
};
interface Answer {
  id: string;
  choices: { message: { content: string; reasoning_content?: string } }[];
}

describe.each([X25519, SECP256K1])('with $algo', (suite) => {
  it('the model reads the prompt, and only the client reads the answer', async () => {
    const { headers, seal, open } = await client(suite);
    const reply = await post('chat/completions', headers, {
      model: 'acme/large',
      messages: [
        { role: 'system', content: 'In clear.' },
        { role: 'user', content: seal('messages.1.content', 'Grüße 👋') },
      ],
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-e2ee-applied')).toBe('true');
    expect(reply.headers.get('x-e2ee-algo')).toBe(suite.algo);
    const text = await reply.text();
    expect(text).not.toContain('Grüße');
    const { id, choices } = JSON.parse(text) as Answer;
    expect(open('choices.0.message.content', choices[0]?.message.content ?? '', id)).toBe('Grüße');
    const messages = [
      { role: 'system', content: 'In clear.' },
      { role: 'user', content: 'Grüße 👋' },
    ];
    expect(JSON.parse(model.calls[0]?.body ?? '')).toEqual({ model: 'base', messages });

    const receipt = (await (
      await fetch(`${server.url}/v1/aci/receipts/${id}`, { headers: { authorization: `Bearer ${secret}` } })
    ).json()) as { event_log: { type: string; body_hash: string }[] };
    const hashOf = (type: string) => receipt.event_log.find((event) => event.type === type)?.body_hash;
    expect(hashOf('request.received')).toBe(
      bodyHash(Buffer.from(JSON.stringify({ model: 'acme/large', messages }))),
    );
    expect(hashOf('response.returned')).toBe(bodyHash(Buffer.from(text)));
  });

  it('each chunk of a stream is bound to its place', async () => {
    const { headers, seal, open } = await client(suite);
    const reply = await post('chat/completions', headers, {
      model: 'teehouse/echo',
      stream: true,
      messages: [{ role: 'user', content: seal('messages.0.content', 'one two three', 'teehouse/echo') }],
    });
    const text = await reply.text();
    expect(text).not.toMatch(/one|two|three/);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    let said = '';
    for (const line of text.split('\n').filter((one) => one.startsWith('data: {'))) {
      const piece = JSON.parse(line.slice(6)) as { id: string; choices: { delta: { content?: string } }[] };
      const content = piece.choices[0]?.delta.content;
      if (content) said += open('choices.0.delta.content', content, piece.id, 'teehouse/echo');
    }
    expect(said).toBe('one two three');
  });

  it('parts, structured contents, prompts and embeddings are bound to their places too', async () => {
    const parts = await client(suite);
    const content = [{ type: 'text', text: parts.seal('messages.0.content.0.text', 'A part') }];
    const whole_content = parts.seal('messages.1.content', '[{"type":"text","text":"Whole"}]');
    await post('chat/completions', parts.headers, {
      model: 'acme/large',
      messages: [
        { role: 'user', content },
        { role: 'user', content: whole_content },
      ],
    });
    expect(JSON.parse(model.calls[0]?.body ?? '')).toMatchObject({
      messages: [
        { content: [{ type: 'text', text: 'A part' }] },
        { content: [{ type: 'text', text: 'Whole' }] },
      ],
    });

    const inputs = await client(suite);
    const reply = await post('embeddings', inputs.headers, {
      model: 'teehouse/echo',
      input: [inputs.seal('input.0', 'first', 'teehouse/echo'), 'second'],
    });
    const { data } = (await reply.json()) as { data: { embedding: string }[] };
    expect(data).toHaveLength(2);
    expect(
      JSON.parse(inputs.open('data.1.embedding', data[1]?.embedding ?? '', '', 'teehouse/echo')),
    ).toEqual(expect.any(Array));

    const prompt = await client(suite);
    const completed = await post('completions', prompt.headers, {
      model: 'teehouse/echo',
      prompt: prompt.seal('prompt', 'Say this', 'teehouse/echo'),
    });
    const { id, choices } = (await completed.json()) as { id: string; choices: { text: string }[] };
    expect(prompt.open('choices.0.text', choices[0]?.text ?? '', id, 'teehouse/echo')).toBe('Say this');
  });
});

describe('a request that doesn’t match its headers', () => {
  type Change = (headers: Record<string, string>) => Record<string, string | undefined>;
  const cases: [string, string, Change][] = [
    ['e2ee_header_missing', 'lacks a header', (h) => ({ ...h, 'x-e2ee-nonce': undefined })],
    ['e2ee_invalid_version', 'names another version', (h) => ({ ...h, 'x-e2ee-version': '3' })],
    ['e2ee_invalid_version', 'asks for the older form', (h) => ({ ...h, 'x-signing-algo': 'ecdsa' })],
    ['e2ee_invalid_public_key', 'has a short key', (h) => ({ ...h, 'x-client-pub-key': 'ab' })],
    [
      'e2ee_invalid_public_key',
      'has a key of small order',
      (h) => ({ ...h, 'x-client-pub-key': '00'.repeat(32) }),
    ],
    [
      'e2ee_model_key_mismatch',
      'encrypts to another service',
      (h) => ({ ...h, 'x-model-pub-key': '11'.repeat(32) }),
    ],
    ['e2ee_invalid_nonce', 'has a short nonce', (h) => ({ ...h, 'x-e2ee-nonce': 'ab'.repeat(31) })],
    [
      'e2ee_invalid_timestamp',
      'is too old',
      (h) => ({ ...h, 'x-e2ee-timestamp': String((Date.now() / 1000 - 400) | 0) }),
    ],
    ['e2ee_invalid_timestamp', 'has no number', (h) => ({ ...h, 'x-e2ee-timestamp': 'now' })],
  ];
  it.each(cases)('is refused as %s if it %s', async (type, _what, change) => {
    const { headers, seal } = await client(X25519);
    const changed = Object.fromEntries(
      Object.entries(change(headers)).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const body = {
      model: 'acme/large',
      messages: [{ role: 'user', content: seal('messages.0.content', 'Hi') }],
    };
    expect(await errorOf(await post('chat/completions', changed, body))).toMatchObject({ status: 400, type });
    expect(model.calls).toEqual([]);
  });

  it('is refused as a replay, even with another client’s key or an uppercase nonce', async () => {
    const { headers, seal } = await client(X25519);
    const body = {
      model: 'acme/large',
      messages: [{ role: 'user', content: seal('messages.0.content', 'Hi') }],
    };
    expect((await post('chat/completions', headers, body)).status).toBe(200);
    expect(await errorOf(await post('chat/completions', headers, body))).toMatchObject({
      type: 'e2ee_replay_detected',
    });
    // Values are bound to the nonce as it was sent.
    const capitals = (headers['x-e2ee-nonce'] ?? '').toUpperCase();
    expect(
      await errorOf(await post('chat/completions', { ...headers, 'x-e2ee-nonce': capitals }, body)),
    ).toMatchObject({ type: 'e2ee_decryption_failed' });
    const other = X25519.pair().public_key.toString('hex');
    expect(
      await errorOf(await post('chat/completions', { ...headers, 'x-client-pub-key': other }, body)),
    ).toMatchObject({ type: 'e2ee_replay_detected' });
    expect(model.calls).toHaveLength(1);
  });

  it.each([
    [
      'moved to another place',
      (seal: string) => ({
        messages: [
          { role: 'user', content: 'x' },
          { role: 'user', content: seal },
        ],
      }),
    ],
    [
      'used for another model',
      (seal: string) => ({ model: 'teehouse/echo', messages: [{ role: 'user', content: seal }] }),
    ],
    [
      'changed',
      (seal: string) => ({
        messages: [{ role: 'user', content: `${seal.slice(0, -1)}${seal.endsWith('0') ? '1' : '0'}` }],
      }),
    ],
    ['not there at all', () => ({ messages: [{ role: 'user', content: 'In clear' }] })],
  ])('is refused if its text was %s', async (_what, bodyOf) => {
    const { headers, seal } = await client(X25519);
    const body = { model: 'acme/large', ...bodyOf(seal('messages.0.content', 'Hi')) };
    expect(await errorOf(await post('chat/completions', headers, body))).toMatchObject({
      type: 'e2ee_decryption_failed',
    });
    expect(model.calls).toEqual([]);
  });

  it('is refused with more encrypted values than the gateway opens, and with tools or logprobs', async () => {
    const many = await client(X25519);
    const opened = await post('chat/completions', many.headers, {
      model: 'acme/large',
      messages: Array.from({ length: 129 }, (_, m) => ({
        role: 'user',
        content: many.seal(`messages.${m}.content`, 'x'),
      })),
    });
    expect(await errorOf(opened)).toMatchObject({
      type: 'e2ee_decryption_failed',
      message: expect.stringContaining('up to 128'),
    });
    for (const more of [{ tools: [{ type: 'function' }] }, { logprobs: true }]) {
      const { headers, seal } = await client(X25519);
      const messages = [{ role: 'user', content: seal('messages.0.content', 'Hi') }];
      const refused = await errorOf(
        await post('chat/completions', headers, { model: 'acme/large', messages, ...more }),
      );
      expect(refused).toMatchObject({ status: 400, param: Object.keys(more)[0] });
    }
    const { headers, seal } = await client(X25519);
    expect(
      await errorOf(await post('responses', headers, { model: 'acme/large', input: seal('input', 'Hi') })),
    ).toMatchObject({ type: 'e2ee_unsupported_endpoint' });
  });
});

describe('an answer that cannot be encrypted', () => {
  const ask = async (script: Script, stream = false) => {
    model.script = script;
    const { headers, seal } = await client(X25519);
    const messages = [{ role: 'user', content: seal('messages.0.content', 'My secret') }];
    const reply = await post('chat/completions', headers, {
      model: 'acme/large',
      messages,
      ...(stream ? { stream } : {}),
    });
    return { status: reply.status, applied: reply.headers.get('x-e2ee-applied'), text: await reply.text() };
  };
  const json =
    (status: number, body: object): Script =>
    (res) =>
      void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  it('is not sent in plaintext', async () => {
    for (const message of [
      { role: 'assistant', content: null, refusal: 'I will not say My secret' },
      { role: 'assistant', content: '', tool_calls: [{ function: { arguments: 'My secret' } }] },
      { role: 'assistant', content: '', audio: { data: 'AA', transcript: 'My secret' } },
    ]) {
      const { status, applied, text } = await ask(json(200, { id: 'a', choices: [{ index: 0, message }] }));
      expect([status, applied]).toEqual([502, null]);
      expect(text).not.toContain('My secret');
    }
  });

  it('is charged normally', async () => {
    const usage = { prompt_tokens: 500, completion_tokens: 20 };
    const message = { role: 'assistant', content: null, refusal: 'No' };
    await ask(json(200, { id: 'refused', choices: [{ index: 0, message }], usage }));
    const [row] = ((await admin.call('listAiRequests', { query: { limit: 1 } })).body as AiRequestPage).data;
    expect(row).toMatchObject({ outcome: 'failed', input_tokens: 500, output_tokens: 20 });
  });

  it('has no members that could echo the prompt, whole or streamed', async () => {
    const more = { prompt_logprobs: ['My secret'], prompt_token_ids: [1], note: 'My secret' };
    const choice = { index: 0, token_ids: [1], stop_reason: 'My secret' };
    const whole = await ask(
      json(200, { id: 'a', ...more, choices: [{ ...choice, message: { role: 'assistant', content: 'x' } }] }),
    );
    expect(whole.status).toBe(200);
    const piece = { id: 'a', ...more, choices: [{ ...choice, delta: { content: 'x' } }] };
    const streamed = await ask((res) => {
      res.setHeader('content-type', 'text/event-stream');
      res.end(`: My secret\n\ndata: ${JSON.stringify(piece)}\n\ndata: [DONE]\n\n`);
    }, true);
    expect(streamed.text).toContain('[DONE]');
    for (const { text } of [whole, streamed]) expect(text).not.toMatch(/My secret|token_ids|logprobs/);
  });

  it('is not sent either if it is a refusal that quotes the prompt', async () => {
    const { status, text } = await ask(
      json(400, { error: { message: 'Bad: My secret', code: 'My secret' } }),
    );
    expect(status).toBe(400);
    expect(text).toContain('The model server refused the request.');
    expect(text).not.toContain('My secret');
  });
});

it('binds values as in the published test vectors', () => {
  const own = X25519.pair(Buffer.alloc(32, 3));
  expect(own.public_key.toString('hex')).toBe(
    '5dfedd3b6bd47f6fa28ee15d969d5bb0ea53774d488bdaf9df1c6e0124b3ef22',
  );
  const channel: Channel = {
    key: { suite: X25519, key_id: '', pair: own },
    client_key: own.public_key,
    nonce: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
    timestamp: 1_750_000_000,
  };
  expect(requestAad(channel, { model: 'demo-model', field: 'messages.0.content' })).toBe(
    '{"algo":"x25519-aes-256-gcm-hkdf-sha256","field":"messages.0.content","model":"demo-model","nonce":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f","purpose":"aci.e2ee.request.v2","ts":1750000000}',
  );
  expect(
    responseAad(channel, { model: 'demo-model', field: 'choices.0.message.content', id: 'chatcmpl-123' }),
  ).toBe(
    '{"algo":"x25519-aes-256-gcm-hkdf-sha256","field":"choices.0.message.content","id":"chatcmpl-123","model":"demo-model","nonce":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f","purpose":"aci.e2ee.response.v2","ts":1750000000}',
  );
});
