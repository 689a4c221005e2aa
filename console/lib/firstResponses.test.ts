import { describe, expect, it } from 'vitest';
import { withFirstResponses } from './firstResponses';

const PATH = '/api/v1/apps?page=1';
const get = (path = PATH, team = 'acme', init: RequestInit = {}) =>
  new Request(`https://console.test${path}`, { headers: { 'X-Workspace': team }, ...init });

function setUp(response: Response | undefined = new Response('first'), atMs = 1_000) {
  const responses = new Map([[PATH, Promise.resolve<Response | undefined>(response)]]);
  const send = withFirstResponses(
    async () => new Response('sent'),
    { team: 'acme', responses },
    () => atMs,
  );
  return async (request: Request) => (await send(request)).text();
}

describe('withFirstResponses', () => {
  it('takes a response once', async () => {
    const load = setUp();
    expect([await load(get()), await load(get())]).toEqual(['first', 'sent']);
  });

  it.each([
    ['another page of the list', get('/api/v1/apps?page=2')],
    ['another team', get(PATH, 'other')],
    ['no team', new Request(`https://console.test${PATH}`)],
    ['a change', get(PATH, 'acme', { method: 'POST' })],
  ])('sends a request for %s', async (_name, request) => {
    expect(await setUp()(request)).toBe('sent');
  });

  it('sends the request if the first one had no response', async () => {
    const responses = new Map([[PATH, Promise.resolve(undefined)]]);
    const send = withFirstResponses(async () => new Response('sent'), { team: 'acme', responses });
    expect(await (await send(get())).text()).toBe('sent');
  });

  it('sends the request if the response is a minute old', async () => {
    expect(await setUp(new Response('first'), 60_000)(get())).toBe('sent');
  });
});
