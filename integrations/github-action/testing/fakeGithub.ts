import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeComment {
  id: number;
  body: string;
  user: { login: string; type: string };
}

export interface FakeGithub {
  /** Base URL of the API. */
  api: string;
  /** By pull request, oldest first. */
  comments: Map<number, FakeComment[]>;
  /** Method and path of each request, in order. */
  requests: string[];
  /** Numbers of the pull requests that contain any commit. */
  merged: number[];
  /** Overrides the handling of requests unless it returns `pass`; null resets. */
  instead: ((method: string, path: string, response: ServerResponse) => unknown) | null;
  close(): Promise<void>;
}

export const WORKFLOW_TOKEN = 'ghs_workflow_token_of_a_test';
const BOT = { login: 'github-actions[bot]', type: 'Bot' };

/** The part of GitHub's API that comments need, for one repository `acme/shop`. Holds comments in memory. */
export async function startFakeGithub(): Promise<FakeGithub> {
  let next = 1;
  const fake: Omit<FakeGithub, 'api' | 'close'> = {
    comments: new Map(),
    requests: [],
    merged: [],
    instead: null,
  };
  const find = (id: number) =>
    [...fake.comments.values()]
      .flatMap((list) => list.map((one) => ({ list, one })))
      .find(({ one }) => one.id === id);

  const handle = (method: string, url: URL, response: ServerResponse, body: { body?: string }) => {
    const reply = (status: number, value?: unknown) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(value === undefined ? undefined : JSON.stringify(value));
    const path = url.pathname.replace(/^\/repos\/acme\/shop/, '');
    fake.requests.push(`${method} ${path}`);
    if (fake.instead && fake.instead(method, path, response) !== 'pass') return;
    // A workflow's token belongs to no user.
    if (path === '/user') return reply(403, { message: 'Resource not accessible by integration' });
    if (/^\/commits\/\w+\/pulls$/.test(path))
      return reply(
        200,
        fake.merged.map((number) => ({ number })),
      );
    const [, issue] = /^\/issues\/(\d+)\/comments$/.exec(path) ?? [];
    const [, comment] = /^\/issues\/comments\/(\d+)$/.exec(path) ?? [];
    if (issue !== undefined) {
      const list = fake.comments.get(Number(issue)) ?? [];
      fake.comments.set(Number(issue), list);
      if (method === 'GET') {
        const size = Number(url.searchParams.get('per_page') ?? 30);
        const page = Number(url.searchParams.get('page') ?? 1);
        return reply(200, list.slice((page - 1) * size, page * size));
      }
      const made = { id: next++, body: body.body ?? '', user: BOT };
      list.push(made);
      return reply(201, made);
    }
    const found = comment === undefined ? undefined : find(Number(comment));
    if (!found) return reply(404, { message: 'Not Found' });
    if (method === 'DELETE') {
      found.list.splice(found.list.indexOf(found.one), 1);
      return reply(204);
    }
    found.one.body = body.body ?? '';
    return reply(200, found.one);
  };

  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      if (request.headers.authorization !== `Bearer ${WORKFLOW_TOKEN}`)
        return void response.writeHead(401).end('{"message":"Bad credentials"}');
      handle(
        request.method ?? 'GET',
        new URL(request.url ?? '/', 'http://github'),
        response,
        (text === '' ? {} : JSON.parse(text)) as { body?: string },
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(fake, {
    api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Adds a comment from another account. */
export function addComment(fake: FakeGithub, number: number, comment: Omit<FakeComment, 'id'>): void {
  const list = fake.comments.get(number) ?? [];
  list.push({ id: 1_000_000 + list.length, ...comment });
  fake.comments.set(number, list);
}
