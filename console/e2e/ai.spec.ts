import { readFile } from 'node:fs/promises';
import { expect, test } from './browser';
import { expectAccessible, expectNoSidewaysScroll, onDatabase, registerUser, watchConsole } from './support';

test('a developer creates an AI key, tries the API and sees the usage', async ({ page, baseURL }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'ai');
  let secret = '';

  await test.step('the page shows the gateway’s location and how to connect', async () => {
    await page.goto(`/${slug}`);
    await page.getByRole('link', { name: 'Confidential AI' }).click();
    await expect(page.getByRole('heading', { name: 'Confidential AI', level: 1 })).toBeVisible();
    await expect(page.getByRole('button', { name: /Switch team/ })).toBeVisible();
    await expect(page.getByText('This gateway doesn’t run in a TEE.')).toBeVisible();
    await expect(page.getByLabel('Base URL', { exact: true })).toHaveText(`${baseURL}/v1`);
    await page.getByLabel('Example for').selectOption('Python, openai');
    await expect(page.getByLabel('Python, openai', { exact: true })).toContainText('client.chat.completions');
    await page.getByLabel('Example for').selectOption('JavaScript, with verification');
    await expect(page.getByLabel('JavaScript, with verification', { exact: true })).toContainText(
      `const base = '${baseURL}/v1';`,
    );
    await expect(page.getByText('Create a key to enable the API', { exact: true })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a key is shown once and works', async () => {
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expect(dialog.getByText('Enter a name.')).toBeVisible();
    await dialog.getByLabel('Name').fill('Support bot');
    await dialog.getByLabel('Requests per minute').fill('60');
    await dialog.getByLabel('Budget in US dollars').fill('5');
    await dialog.getByLabel('Budget per').selectOption('Week');
    // Creates one key: a second would have no row of its own below.
    await dialog.getByRole('button', { name: 'Create key' }).dblclick();
    secret = (await page.getByRole('dialog').getByLabel('Support bot', { exact: true }).textContent()) ?? '';
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I’ve copied it' }).click();
    await expect(page.getByRole('row', { name: /Support bot/ })).toContainText('60 requests/min');
    await expect(page.getByRole('row', { name: /Support bot/ })).toContainText('$0.00 of $5.00 per week');
    const answer = await page.request.post('/v1/chat/completions', {
      headers: { authorization: `Bearer ${secret}` },
      data: { model: 'teehouse/echo', messages: [{ role: 'user', content: 'From a program' }] },
    });
    expect(answer.status()).toBe(200);
  });

  await test.step('the playground streams an answer, counts its tokens and verifies its receipt', async () => {
    await page
      .getByRole('navigation', { name: 'Confidential AI' })
      .getByRole('link', { name: 'Models' })
      .click();
    const model = page.getByRole('region', { name: 'Echo' });
    await expect(model).toContainText('This server, no TEE');
    await expect(model).toContainText('Not attested');
    await expect(model).toContainText('Requests answered, 7 days');
    await expect(page.getByRole('link', { name: 'Deploy your own' })).toHaveAttribute(
      'href',
      `/dashboard/deploy/model?team=${slug}`,
    );
    await expectAccessible(page);
    await model.getByRole('link', { name: 'Try Echo' }).click();
    await expect(page.getByLabel('Model', { exact: true })).toHaveValue('teehouse/echo');
    await page.getByText('Sampling', { exact: true }).click();
    await page.getByLabel('Top-p').fill('2');
    await expect(page.getByText('Enter a number from 0 to 1, such as 0.9.')).toBeVisible();
    await page.getByLabel('Top-p').fill('0.9');
    await page.getByText('Code with these settings').click();
    await expect(page.getByLabel('curl', { exact: true })).toContainText('"top_p": 0.9');
    await expect(page.getByRole('button', { name: 'Attach images' })).toHaveCount(0);
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello there');
    await page.getByRole('button', { name: 'Send' }).click();
    const conversation = page.getByRole('list', { name: 'Conversation' });
    await expect(conversation.getByText('Hello there')).toHaveCount(2);
    await expect(conversation).toContainText('2 input tokens, 2 output tokens, $0.00');
    await conversation.getByText('Receipt matches this response. The gateway doesn’t run in a TEE.').click();
    const checks = conversation.getByRole('list', { name: 'Receipt checks' });
    await expect(checks.getByText('The gateway’s key signed this receipt.')).toBeVisible();
    await expect(checks.getByText('Passed')).toHaveCount(7);
    await expect(checks.getByText('Failed')).toHaveCount(1);
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('clearing the conversation or leaving the page stops the answer', async () => {
    const path = '**/v1/chat/completions';
    // Never answers.
    await page.route(path, () => undefined);
    const send = async () => {
      const stopped = page.waitForEvent('requestfailed', (request) =>
        request.url().endsWith('/v1/chat/completions'),
      );
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Wait for me');
      await page.getByRole('button', { name: 'Send' }).click();
      await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
      return { stopped };
    };
    const cleared = await send();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await cleared.stopped;
    await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
    const left = await send();
    await page
      .getByRole('navigation', { name: 'Confidential AI' })
      .getByRole('link', { name: 'Models' })
      .click();
    await left.stopped;
    await page.unroute(path);
  });

  await test.step('usage lists both requests', async () => {
    await page
      .getByRole('navigation', { name: 'Confidential AI' })
      .getByRole('link', { name: 'Usage' })
      .click();
    const requests = page.getByRole('region', { name: 'Requests' });
    await expect(requests.getByRole('row', { name: /Playground/ })).toContainText('2 / 2');
    await expect(requests.getByRole('row', { name: /Support bot/ })).toContainText('3 / 3');
    await expect(page.getByText('Requests are charged hourly.')).toBeVisible();
    await expect(page.getByText('10 in total')).toBeVisible();
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await requests.getByRole('link', { name: 'Export as CSV' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file).toMatch(/Support bot,teehouse\/echo,chat\.completions,200,completed/);
  });

  await test.step('a gateway outside this server is offered after its first call', async () => {
    await onDatabase(
      `insert into ai_gateways (name, url, image, last_seen_at) values ($1, 'https://ai.example.test', 'gateway', now())`,
      [slug],
    );
    await page.goto(`/dashboard/confidential-ai-api?team=${slug}`);
    await page.getByLabel('Gateway', { exact: true }).selectOption(slug);
    await expect(page.getByText('This gateway runs outside this server.')).toBeVisible();
    await expect(page.getByLabel('Base URL', { exact: true })).toHaveText('https://ai.example.test/v1');
    await expect(page.getByRole('link', { name: 'attestation report' })).toHaveAttribute(
      'href',
      'https://ai.example.test/v1/aci/attestation',
    );
    await onDatabase('delete from ai_gateways where name = $1', [slug]);
  });

  await test.step('a revoked key is refused', async () => {
    await page.getByRole('button', { name: 'Actions for Support bot' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByRole('row', { name: /Support bot/ })).toContainText('Revoked');
    const refused = await page.request.get('/v1/models', { headers: { authorization: `Bearer ${secret}` } });
    expect(refused.status()).toBe(401);
  });
  expect(complaints).toEqual([]);
});
