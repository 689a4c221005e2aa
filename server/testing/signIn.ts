import { codeOfStep } from '../domain/accounts/totp';
import type { Answer, TestClient, TestServer } from './server';

/** Returns a response's cookies as a browser would send them back, without removed ones. */
export function cookiesOf(answer: Pick<Answer, 'headers'>, held = ''): string {
  const jar = new Map<string, string>();
  for (const pair of held.split('; ').filter(Boolean)) jar.set(pair.split('=')[0] ?? '', pair);
  for (const set of answer.headers.getSetCookie()) {
    const pair = set.split(';')[0] ?? '';
    const name = pair.split('=')[0] ?? '';
    if (set.includes('Max-Age=0')) jar.delete(name);
    else jar.set(name, pair);
  }
  return [...jar.values()].join('; ');
}

export const nowStep = () => Math.floor(Date.now() / 30_000);

/** Sets up an authenticator app; returns its secret and the recovery codes. The used code becomes usable again. */
export async function setUpTotp(
  server: TestServer,
  person: TestClient,
): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await person.call('createTotp')).body as { secret: string };
  const done = await person.call('confirmTotp', { body: { code: codeOfStep(secret, nowStep()) } });
  if (done.status !== 200)
    throw new Error(`confirmTotp answered ${done.status}: ${JSON.stringify(done.body)}`);
  await forgetSteps(server);
  return { secret, codes: (done.body as { codes: string[] | null }).codes ?? [] };
}

/** Makes every code usable again, as after some time. */
export const forgetSteps = ({ services }: TestServer) =>
  services.db.updateTable('totp_credentials').set({ last_step: 0 }).execute();
