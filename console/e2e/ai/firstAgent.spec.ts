import { expect, test } from '../browser';
import { expectAccessible, registerUser, watchConsole } from '../support';

test('a first agent uses the built-in model, with a key created for it', async ({ page, baseURL }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'first-agent');
  const compose = page.getByRole('textbox', { name: 'docker-compose.yml' });
  const key = page.getByRole('textbox', { name: 'Value of OPENAI_API_KEY' });

  await test.step('from the landing page, a name is enough', async () => {
    await page.goto('/eliza');
    await page.getByRole('link', { name: 'Launch an agent' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Lin');
    await expect(page.getByLabel('Model', { exact: true })).toHaveValue('teehouse/echo');
    await expect(page.getByText('This server’s address is local.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`**/${slug}/deploy`);
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('lin-agent');
    await expect(key).toHaveValue(/^thk_ai_/);
    // The editor renders only the lines around those in view.
    await compose.press('Control+End');
    await expect(compose).toContainText(`OPENAI_BASE_URL: "${baseURL}/v1"`);
    await expect(compose).toContainText('OPENAI_SMALL_MODEL: "teehouse/echo"');
  });

  await test.step('its key answers', async () => {
    const answer = await page.request.post('/v1/chat/completions', {
      headers: { authorization: `Bearer ${await key.inputValue()}` },
      data: { model: 'teehouse/echo', messages: [{ role: 'user', content: 'Hello' }] },
    });
    expect(answer.status()).toBe(200);
    const keys = await page.context().newPage();
    await keys.goto(`/dashboard/confidential-ai-api?team=${slug}`);
    await expect(keys.getByRole('row', { name: /Agent Lin/ })).toBeVisible();
    await keys.close();
  });

  await test.step('with another provider, the user enters the key, named once', async () => {
    await page.goto(`/${slug}/launch?way=agent`);
    await page.getByLabel('Name', { exact: true }).fill('Ida');
    await page.getByLabel('Model', { exact: true }).selectOption({ label: 'Another provider’s model' });
    await page.getByLabel('Required secrets').fill('OPENAI_API_KEY OPENAI_API_KEY');
    await expect(page.getByText('OPENAI_API_KEY is listed twice.')).toBeVisible();
    await page.getByLabel('Required secrets').fill('OPENAI_API_KEY');
    await page.getByRole('button', { name: 'Continue' }).click();
    const replace = page.getByRole('alertdialog').getByRole('button', { name: 'Replace' });
    await replace.click();
    await page.waitForURL(`**/${slug}/deploy`);
    await expect(key).toHaveValue('');
    await compose.press('Control+End');
    await expect(compose).not.toContainText('OPENAI_BASE_URL');
  });
  expect(complaints).toEqual([]);
});
