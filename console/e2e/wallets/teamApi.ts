import type { Page } from '../browser';

/** Calls a server's API as this browser's signed-in user. */
export async function callAt(
  origin: string,
  page: Page,
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  team: string,
) {
  const reply = await page.request[method](`${origin}/api/v1${path}`, {
    headers: { Origin: origin, 'X-Workspace': team },
  });
  const text = await reply.text();
  return { status: reply.status(), body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}
