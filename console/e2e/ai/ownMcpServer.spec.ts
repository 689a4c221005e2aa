import { expect, test } from '../browser';
import { expectAccessible, expectNoSidewaysScroll, registerUser, watchConsole } from '../support';

test('the user’s own MCP server fills the deploy form', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'ownmcp');
  await page.goto(`/${slug}/launch?way=mcp`);
  await page.getByRole('combobox', { name: 'MCP server' }).selectOption('Your own server');
  await expect(page).toHaveURL(/way=mcp&template=own-server$/);
  const form = page.getByRole('form', { name: 'Your own server' });
  const field = (name: string) => form.getByLabel(name, { exact: true });
  const compose = form.getByLabel('Compose file', { exact: true });

  await test.step('asks for an exact version', async () => {
    await field('Package').fill('@example/notes-mcp');
    await field('Version').fill('latest');
    await form.getByRole('button', { name: 'Continue' }).click();
    await expect(field('Version')).toHaveAccessibleDescription(/exact version/);
    await expect(compose).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step('shows the Compose file with the arguments as entered', async () => {
    await field('Version').fill('1.4.2');
    await form.getByLabel('Arguments').fill('--folder\n$(id); privileged: true');
    await form.getByLabel('Environment variables').fill('NOTES_TOKEN');
    for (const text of [
      '- "@example/notes-mcp"',
      '- "1.4.2"',
      '- "$$(id); privileged: true"',
      'NOTES_TOKEN: ${NOTES_TOKEN}',
    ])
      await expect(compose).toContainText(text);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step('an image requires its digest', async () => {
    await form.getByLabel('Source').selectOption('Container image');
    await field('Image').fill('ghcr.io/example/notes-mcp:1.4.2');
    await expect(field('Image')).toHaveAccessibleDescription(/Add the image’s digest/);
    await field('Image').fill(`ghcr.io/example/notes-mcp@sha256:${'a1'.repeat(32)}`);
    await field('Port').fill('3001');
    await expect(compose).toContainText('- "http://server:3001/mcp"');
    await form.getByLabel('Source').selectOption('npm package');
  });

  await test.step('opens the deploy form, where the file can be edited', async () => {
    const key = await field('Key').inputValue();
    await form.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/deploy');
    const editor = page.getByRole('textbox', { name: 'docker-compose.yml' });
    await expect(editor).toContainText('bridge:');
    await expect(editor).toBeEditable();
    await expect(page.getByRole('textbox', { name: 'Value of MCP_KEY' })).toHaveValue(key);
    await expect(page.getByRole('textbox', { name: 'Value of NOTES_TOKEN' })).toHaveValue('');
    await expectAccessible(page);
  });
  expect(complaints).toEqual([]);
});
