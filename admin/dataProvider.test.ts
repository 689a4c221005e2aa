import { HttpError } from 'react-admin';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { adminLists } from '../generated/api/adminLists.gen';
import { createDataProvider } from './dataProvider';
import { problemOf, type ErrorBody } from './http';
import { PER_PAGE } from './lists/listUrl';
import { adminHref } from './paths';
import { findResource, resources } from './schema/resources';
import { waitsAt } from './waiting';

interface Asked {
  method: string;
  url: string;
  headers: Headers;
  body: unknown;
}

const ORIGIN = 'http://admin.test';

/** Resolves relative URLs as a page would. */
class PageRequest extends Request {
  constructor(input: string | URL | Request, init?: RequestInit) {
    super(typeof input === 'string' ? new URL(input, ORIGIN) : input, init);
  }
}

/** Stubs fetch: records requests and replies in order. */
function server(
  ...replies: {
    status?: number;
    body?: unknown;
    headers?: Record<string, string>;
  }[]
) {
  const asked: Asked[] = [];
  vi.stubGlobal('Request', PageRequest);
  vi.stubGlobal('fetch', async (request: Request) => {
    const text = await request.text();
    asked.push({
      method: request.method,
      url: request.url.slice(ORIGIN.length),
      headers: request.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    });
    const { status = 200, body, headers = {} } = replies.shift() ?? {};
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers,
    });
  });
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

const node = {
  id: 7,
  name: 'rack-1',
  region: null,
  state: 'online',
  notes: '',
  updated_at: 't1',
};
const params = (data: object) => ({ id: 7, data, previousData: node });

describe('getList', () => {
  it('requests the first rows of every list at the URL the server preloads', async () => {
    for (const { name, sort } of resources) {
      const asked = server({ body: [] });
      const pagination = { page: 1, perPage: PER_PAGE };
      await createDataProvider().getList(name, {
        pagination,
        sort,
        filter: {},
      });
      const list = adminLists[adminHref.list(name)];
      expect([name, asked[0]?.url]).toEqual([name, list?.request]);
      expect(list?.permission).toBe(findResource(name)?.permissions.list);
    }
  });
});

describe('update', () => {
  it('sends the changed keys with the ETag of the version that was read', async () => {
    const asked = server({ body: node, headers: { ETag: '"v1"' } }, { body: { ...node, region: 'eu' } });
    const provider = createDataProvider();
    await provider.getOne('nodes', { id: 7 });
    await provider.update('nodes', params({ ...node, region: 'eu', teepod_count: 3, id: 8 }));
    expect(asked[1]).toMatchObject({
      method: 'PATCH',
      url: '/api/v1/admin/nodes/7',
      body: { region: 'eu' },
    });
    expect(asked[1]?.headers.get('If-Match')).toBe('"v1"');
  });

  it('reports a conflict when a listed record has changed', async () => {
    const asked = server({
      body: { ...node, updated_at: 't2' },
      headers: { ETag: '"v2"' },
    });
    const failure = await createDataProvider()
      .update('nodes', params({ ...node, region: 'eu' }))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(HttpError);
    expect((failure as HttpError).status).toBe(412);
    expect(asked).toHaveLength(1);
  });

  it('sends no request if nothing changed', async () => {
    const asked = server();
    await createDataProvider().update('nodes', params({ ...node }));
    expect(asked).toHaveLength(0);
  });
});

describe('create', () => {
  it('sends the filled-in values with an idempotency key', async () => {
    const asked = server({ status: 201, body: node });
    await createDataProvider().create('nodes', {
      data: { name: 'rack-1', region: null, notes: '', state: 'online' },
      meta: { idempotency_key: 'k1' },
    });
    expect(asked[0]).toMatchObject({
      method: 'POST',
      body: { name: 'rack-1', state: 'online' },
    });
    expect(asked[0]?.headers.get('Idempotency-Key')).toBe('k1');
  });
});

describe('lists', () => {
  it('use the simple-rest dialect', async () => {
    const asked = server({
      body: [node],
      headers: { 'Content-Range': 'nodes 0-0/31' },
    });
    const { total } = await createDataProvider().getList('nodes', {
      pagination: { page: 2, perPage: 10 },
      sort: { field: 'name', order: 'DESC' },
      filter: { q: 'rack' },
    });
    expect(total).toBe(31);
    const query = new URL(asked[0]?.url ?? '', 'http://x').searchParams;
    expect(query.get('sort')).toBe('["name","DESC"]');
    expect(query.get('range')).toBe('[10,19]');
    expect(query.get('filter')).toBe('{"q":"rack"}');
  });
});

describe('failures', () => {
  const failing = async (status: number, body: unknown) => {
    server({ status, body, headers: { 'X-Request-Id': 'req_1' } });
    const failure = await createDataProvider()
      .getOne('nodes', { id: 7 })
      .catch((error: unknown) => error);
    return failure as HttpError;
  };
  const errorsOf = (failure: HttpError) => (failure.body as ErrorBody).errors;

  it('assign the issues of a 422 to their inputs', async () => {
    const failure = await failing(422, {
      detail: [{ loc: ['body', 'name'], msg: 'Too long', type: 'too_big' }],
      code: 'ERR-00-005',
      type: '',
      request_id: 'req_2',
    });
    expect(errorsOf(failure)).toMatchObject({ name: 'Too long' });
    expect(problemOf(failure, 'Not saved')).toMatchObject({
      code: 'ERR-00-005',
      request_id: 'req_2',
    });
  });

  it('assign conflict details to inputs and keep the suggestions', async () => {
    const failure = await failing(409, {
      detail: {
        error_code: 'ERR-00-015',
        message: 'Another node has this name.',
        details: [{ field: 'name', message: 'Another node has this name.' }],
        suggestions: ['Choose another.'],
      },
      code: 'ERR-00-015',
    });
    expect(errorsOf(failure)).toMatchObject({
      name: 'Another node has this name.',
    });
    expect(problemOf(failure, 'Not saved').suggestions).toEqual(['Choose another.']);
  });

  it('never count as saved', async () => {
    for (const [status, body] of [
      [403, { detail: 'Not allowed', code: 'ERR-00-003' }],
      [502, undefined],
    ] as const)
      expect(errorsOf(await failing(status, body))).toHaveProperty(['root.serverError']);
  });
});

describe('a change that waits for approval', () => {
  const action = { id: 31, action: 'grant_credit', state: 'pending' };

  it('returns the page of the pending change, by the operation’s status and schema', async () => {
    server({ status: 202, body: action });
    const { data } = await createDataProvider().create('credits', { data: { reason: 'Sorry' } });
    expect(waitsAt(data)).toBe('/admin/finance-actions/31');
    // The cache must not mistake it for credit 31.
    expect(data.id).not.toBe(31);
    server({ status: 202, body: action });
    expect(await createDataProvider().act('credits', { id: 5, action: 'revoke' })).toMatchObject({
      waits: '/admin/finance-actions/31',
    });
  });

  it('is not recognized by the keys of a reply', async () => {
    const body = { ...action, decided_by: null };
    server({ status: 201, body });
    expect(waitsAt((await createDataProvider().create('credits', { data: {} })).data)).toBeNull();
    server({ status: 200, body });
    expect(await createDataProvider().act('finance-actions', { id: 31, action: 'approve' })).toMatchObject({
      data: body,
      waits: null,
    });
    server({ status: 202, body });
    expect(await createDataProvider().act('nodes', { id: 7, action: 'reconcile' })).toMatchObject({
      waits: null,
    });
  });
});
