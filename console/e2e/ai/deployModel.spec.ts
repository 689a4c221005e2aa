import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DockerApi } from '../../../server/teepod/engine/dockerApi';
import { ensureDocker, removeTeepodContainers } from '../../../server/tools/docker';
import { continueLoading, ensureTinyModelImage } from '../../../server/tools/tinyModel/image';
import { serveImage, type LocalRegistry } from '../../../server/tools/tinyModel/registry';
import { TINY_MODEL } from '../../../server/tools/tinyModel/weights';
import { expect, test } from '../browser';
import { openTeam, registerOn, startOwnServer, type OwnServer } from '../ownServer';
import { expectAccessible, makeLogsPublic, watchConsole } from '../support';

/* A real engine with random weights: deploying a team's own model, without a GPU. */

let socket: string;
let image: string;
let registry: LocalRegistry;
let server: OwnServer;

test.beforeAll(async () => {
  const found = await ensureDocker();
  if ('reason' in found) throw new Error(found.reason);
  ({ socket } = found);
  const { host } = new DockerApi(socket);
  image = await ensureTinyModelImage(host, { holds: true });
  registry = await serveImage(host, image, 'teehouse/tiny-model');
  server = await startOwnServer({ LOCAL_TEEPOD_REGISTRIES: registry.host });
});
test.afterAll(async () => {
  const id = server && (await readFile(path.join(server.dataDir, 'teepod/id'), 'utf8').catch(() => ''));
  await server?.stop();
  if (id) await removeTeepodContainers(socket, id.trim());
  await registry?.close();
});

/** Lets the engine load the model; it waits halfway. */
async function load(): Promise<void> {
  const { host } = new DockerApi(socket);
  const { stdout } = await promisify(execFile)('docker', [
    '-H',
    host,
    'ps',
    '-q',
    '--filter',
    `ancestor=${image}`,
  ]);
  await continueLoading(host, stdout.trim());
}

/** For this model, the beginning of the text is a token, and so is each byte. */
const PROMPT_TOKENS = 1 + 'user: Hello there\nassistant:'.length;

/** USD for the prompt and 8 answer tokens, at $10 and $20 per million. */
const cost = ((PROMPT_TOKENS * 10 + 8 * 20) / 1e6).toFixed(5);

test('a model is deployed, loads, is offered through the API and answers with a receipt', async ({
  page,
}) => {
  const complaints = watchConsole(page);
  // The first user is an administrator.
  await registerOn(server, page, 'model');
  const slug = await openTeam(server, page);
  let key = '';

  await test.step('the form plans a model without a GPU', async () => {
    await page.goto(`${server.url}/${slug}/launch`);
    await page.getByRole('link', { name: /^A model/ }).click();
    await page.getByRole('combobox', { name: 'Engine' }).selectOption('llama.cpp, without a GPU');
    await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toHaveValue(
      'Qwen/Qwen3-0.6B-GGUF',
    );
    await page.getByRole('textbox', { name: 'Image' }).fill(registry.reference);
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('Other Hugging Face model');
    await page.getByRole('textbox', { name: 'Model ID' }).fill(TINY_MODEL);
    await page.getByRole('textbox', { name: 'Parameters' }).fill('0.001');
    await page.getByRole('textbox', { name: 'Context' }).fill('1024');
    await page.getByRole('textbox', { name: 'Served name' }).fill('tiny-random');
    await expect(page.getByRole('combobox', { name: 'Size' })).toHaveValue('tdx.small');
    await expect(page.getByLabel('Compose file', { exact: true })).toContainText(`${TINY_MODEL}:Q8_0`);
    await page.getByRole('combobox', { name: 'Scheduled deletion' }).selectOption('After a week');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`**/${slug}/deploy`);
    key = await page.getByRole('textbox', { name: 'Value of MODEL_API_KEY' }).inputValue();
    await makeLogsPublic(page);
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.waitForURL(`**/${slug}/cvms/**`);
  });

  const panel = page.getByRole('region', { name: 'Model', exact: true });
  await test.step('its page shows the loading progress, and when it is ready', async () => {
    const steps = panel.getByRole('list', { name: 'Loading the model' });
    await expect(steps.getByText('loading model: 50%')).toBeVisible({ timeout: 180_000 });
    await expect(steps.locator('[aria-current=step]')).toContainText('Model loaded');
    await expectAccessible(page);
    await load();
    await expect(panel.getByText('Ready', { exact: true })).toBeVisible();
    await expect(panel.getByLabel('Base URL', { exact: true })).toHaveText(/-8080\.cvm\.localhost:\d+\/v1$/);
    await expect(steps).toHaveCount(0);
  });

  await test.step('an administrator offers it through the API, once the key is right', async () => {
    await panel.getByRole('button', { name: 'Serve through the API…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Serve the model through the API' });
    const submit = dialog.getByRole('button', { name: 'Serve through the API' });
    await expect(dialog.getByLabel('Context')).toHaveValue('1024');
    await submit.click();
    await expect(dialog.getByText('Enter the value of MODEL_API_KEY.')).toBeVisible();
    await expectAccessible(page);
    const apiKey = dialog.getByLabel('Model API key', { exact: true });
    await apiKey.fill('wrong');
    await dialog.getByLabel('Input price').fill('10');
    await dialog.getByLabel('Output price').fill('20');
    await submit.click();
    await expect(apiKey).toHaveAccessibleDescription(/The model server rejected the API key\./);
    await apiKey.fill(key);
    await submit.click();
    await expect(dialog).toBeHidden();
    await expect(panel.getByRole('link', { name: 'tiny-random' })).toBeVisible();
    await expect(panel.getByRole('button', { name: 'Serve through the API…' })).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step('a member offers it to the team’s keys, and withdraws it', async () => {
    await panel.getByRole('button', { name: 'Serve to the team’s keys only…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Serve the model to the team’s keys' });
    await expect(dialog.getByLabel('Short name')).toHaveValue('tiny-random');
    await expect(dialog.getByLabel('Context')).toHaveValue('1024');
    await dialog.getByLabel('Model API key', { exact: true }).fill(key);
    await dialog.getByLabel('Name', { exact: true }).fill('Tiny of the team');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Serve through the API' }).click();
    await expect(dialog).toBeHidden();
    await expect(panel.getByRole('button', { name: 'Serve to the team’s keys only…' })).toHaveCount(0);
    const models = await page.context().newPage();
    await models.goto(`${server.url}/dashboard/confidential-ai-models`);
    const own = models.getByRole('region', { name: 'Tiny of the team' });
    await expect(own).toContainText('Your team');
    await expect(own).toContainText(`${slug}/tiny-random`);
    await expectAccessible(models);
    await own.getByRole('button', { name: 'Withdraw…' }).click();
    await models.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
    await expect(own).toHaveCount(0);
    await models.close();
    await page.reload();
    await expect(panel.getByRole('button', { name: 'Serve to the team’s keys only…' })).toBeVisible();
  });

  await test.step('its deletion is scheduled', async () => {
    const { pathname } = new URL(page.url());
    const settings = await page.context().newPage();
    await settings.goto(`${server.url}${pathname.replace(/\/$/, '')}/settings`);
    const schedule = settings.getByRole('region', { name: 'Schedule', exact: true });
    await expect(schedule.getByRole('button', { name: 'Change: scheduled deletion' })).toBeVisible();
    await expect(schedule.getByRole('button', { name: 'Schedule: scheduled stop' })).toBeVisible();
    await settings.close();
  });

  await test.step('the playground answers, with correct token counts and a receipt', async () => {
    await panel.getByRole('link', { name: 'Try it' }).click();
    await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toHaveValue('tiny-random');
    await page.getByRole('textbox', { name: 'Max output tokens' }).fill('8');
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello there');
    await page.getByRole('button', { name: 'Send' }).click();
    const conversation = page.getByRole('list', { name: 'Conversation' });
    await expect(conversation).toContainText(`${PROMPT_TOKENS} input tokens, 8 output tokens, $${cost}`);
    await conversation.getByText('Receipt matches this response. The gateway doesn’t run in a TEE.').click();
    const checks = conversation.getByRole('list', { name: 'Receipt checks' });
    await expect(checks.getByText('The gateway’s key signed this receipt.')).toBeVisible();
    await expect(checks.getByText('Failed')).toHaveCount(1);
  });

  await test.step('usage has its exact cost', async () => {
    await page
      .getByRole('navigation', { name: 'Confidential AI' })
      .getByRole('link', { name: 'Usage' })
      .click();
    const row = page.getByRole('region', { name: 'Requests' }).getByRole('row', { name: /Playground/ });
    await expect(row).toContainText('tiny-random');
    await expect(row).toContainText(`${PROMPT_TOKENS} / 8`);
    await expect(row).toContainText(`$${cost}`);
  });
  // The refusal of the wrong key.
  expect(complaints).toEqual([expect.stringMatching(/ 422 .*\/model-server\/publish$/)]);
});
