import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportHref } from '../../../console/lib/activity/retention';
import type { AiRequestPage, CreatedAiKey } from '../../../generated/api/types.gen';
import { everyAiRequest } from '../../db/ai/aiRequests';
import { identityOf } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let owner: TestClient;
let other: TestClient;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  owner = await server.register();
  other = await server.register();
});
afterAll(() => server.stop());

const created = async (name = 'Bot') =>
  (await owner.call('createAiKey', { body: { name } })).body as CreatedAiKey;
const chat = (secret: string) =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'teehouse/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  });
const requests = async (query: object) =>
  ((await owner.call('listAiRequests', { query: { ...query } })).body as AiRequestPage).data;

describe('the requests as a file', () => {
  it('has each request without its prompt, for one key or all, and is safe to open', async () => {
    const risky = await created('=HYPERLINK("https://evil.example")');
    const second = await created('Other');
    const answer = await chat(risky.secret);
    expect([answer.status, (await chat(second.secret)).status]).toEqual([200, 200]);
    const linesOf = async (query = {}) => {
      const { body } = await owner.call('exportAiRequests', { path: { slug: owner.slug! }, query });
      return String(body).trimEnd().split('\r\n');
    };
    const [header, ...lines] = await linesOf({ key_id: risky.key.id });
    expect(header).toMatch(/^created_at,id,key_id,key_name,model,endpoint,status,outcome.*,receipt_id$/);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(
      `,"'=HYPERLINK(""https://evil.example"")",teehouse/echo,chat.completions,200,completed,`,
    );
    expect(lines[0]?.split(',').at(-1)).toBe(answer.headers.get('x-receipt-id'));
    expect((await linesOf()).length).toBe(1 + (await requests({ limit: 100 })).length);
  });

  it('has them in JSON Lines as the list has them', async () => {
    const { secret, key } = await created();
    for (let i = 0; i < 3; i++) await chat(secret);
    const href = exportHref(owner.slug!, 'ai_requests', 'jsonl', { key_id: key.id });
    const reply = await fetch(`${server.address}${href}`, { headers: { cookie: owner.cookie ?? '' } });
    expect(reply.headers.get('content-type')).toContain('application/x-ndjson');
    expect(reply.headers.get('content-disposition')).toMatch(/-ai-requests-[\d-]+\.jsonl"$/);
    const rows = (await reply.text()).trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row) as unknown)).toEqual(await requests({ key_id: key.id }));
    expect(rows).toHaveLength(3);
  });

  it('is for the team only', async () => {
    const { key } = await created();
    const path = { slug: owner.slug! };
    expect((await other.call('exportAiRequests', { path })).status).toBe(404);
    const query = { key_id: key.id, format: 'jsonl' };
    const own = await other.call('exportAiRequests', { path: { slug: other.slug! }, query });
    expect([own.status, String(own.body)]).toEqual([200, '']);
    expect((await owner.call('exportAiRequests', { path, query: { format: 'xlsx' } })).status).toBe(422);
  });

  it('reads page by page', async () => {
    const { db } = server.services;
    const { team_id } = await identityOf(db, owner.email!);
    const ids: number[] = [];
    for await (const rows of everyAiRequest(db, { team_id }, 2)) ids.push(...rows.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
