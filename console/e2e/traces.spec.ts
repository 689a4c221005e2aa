import { expect, test, type Page } from './browser';
import { registerUser, watchConsole } from './support';

/** Sets the Sentry settings the server returns; every page load is traced. */
async function traceEverything(page: Page): Promise<string[]> {
  const sent: string[] = [];
  await page.route('**/api/v1/session', async (route) => {
    const answer = await route.fetch();
    const session = (await answer.json()) as { environment: object };
    const environment = {
      ...session.environment,
      monitoring_dsn: 'https://key@errors.example.com/7',
      traces_sample_rate: 1,
    };
    await route.fulfill({ response: answer, json: { ...session, environment } });
  });
  await page.route('**/monitoring?*', async (route) => {
    sent.push(route.request().postData() ?? '');
    await route.fulfill({ status: 200, json: {} });
  });
  return sent;
}

test('a traced page load sends one cleaned transaction through the tunnel', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'tracing');
  const sent = await traceEverything(page);
  await page.goto(`/${slug}/tokens?secret=x`);
  await expect.poll(() => sent.length, { timeout: 60_000 }).toBeGreaterThan(0);
  const all = sent.join('\n');
  expect(all).toContain('"type":"transaction"');
  expect(all).toContain('"transaction":"/$teamSlug/tokens"');
  expect(all).not.toContain(slug);
  expect(all).not.toContain('secret=');
  expect(all).not.toContain('"type":"span"');
  expect(complaints).toEqual([]);
});
