import { expect, test } from './browser';
import { expectAccessible, registerUser, watchConsole } from './support';

test('a member sees which GPUs are free, and why a size can’t be deployed', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'gpus');
  await page.goto(`/${slug}`);
  await page.getByRole('link', { name: 'GPU TEE' }).click();
  await expect(page.getByRole('heading', { name: 'GPU TEE', level: 1 })).toBeVisible();
  // The built-in host has no GPU.
  await expect(page.getByText('No free GPUs')).toBeVisible();
  const size = page.getByRole('row', { name: /One H200/ });
  await expect(size).toContainText('24 vCPU');
  const deploy = size.getByRole('button', { name: 'Deploy One H200' });
  await expect(deploy).toHaveAttribute('aria-disabled', 'true');
  await deploy.hover();
  await expect(page.getByRole('tooltip')).toHaveText('Needs 1 free GPU; none is free.');
  await expect(page.getByText('Not checked: GPU firmware and VBIOS measurements')).toBeVisible();
  await expectAccessible(page);

  await test.step('joins and leaves the waitlist', async () => {
    const waitlist = page.getByRole('region', { name: 'Waitlist' });
    await waitlist.getByRole('button', { name: 'Join the waitlist' }).click();
    await expect(waitlist.getByRole('status')).toContainText('You joined the waitlist for 1 GPU');
    await page.reload();
    await expect(waitlist.getByRole('status')).toContainText('You joined the waitlist for 1 GPU');
    await expectAccessible(page);
    await waitlist.getByRole('button', { name: 'Leave the waitlist' }).click();
    await expect(waitlist.getByRole('button', { name: 'Join the waitlist' })).toBeVisible();
  });

  await test.step('without a GPU size there is no waitlist', async () => {
    await page.route('**/api/v1/instance-types*', async (route) => {
      const answer = await route.fetch();
      const { result } = (await answer.json()) as { result: { items: { gpu_count: number }[] }[] };
      const left = result.map((family) => ({
        ...family,
        items: family.items.filter(({ gpu_count }) => gpu_count === 0),
      }));
      await route.fulfill({ response: answer, json: { result: left } });
    });
    await page.reload();
    await expect(page.getByText('No GPU sizes', { exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Waitlist' })).toHaveCount(0);
  });
  expect(complaints).toEqual([]);
});

test('a developer plans an open model on a GPU and deploys its Compose file', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'models');
  await page.goto(`/${slug}/launch`);
  await page.getByRole('link', { name: /^A model/ }).click();
  await expect(page.getByRole('heading', { name: 'Deploy a model', level: 1 })).toBeVisible();

  await test.step('a model that doesn’t fit is refused with the numbers', async () => {
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('Llama 3.3 70B Instruct');
    await expect(page.getByText('The model needs 152 GB', { exact: false })).toBeVisible();
    await page.getByRole('combobox', { name: 'Weights' }).selectOption('FP8, quantized while loading');
    await expect(page.getByText('The model needs', { exact: false })).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step('the engine needs a digest', async () => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Enter an image with its digest', { exact: false })).toBeVisible();
    await page.getByRole('textbox', { name: 'Image' }).fill(`vllm/vllm-openai@sha256:${'a'.repeat(64)}`);
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('Qwen3 8B');
    await expect(page.getByLabel('Compose file', { exact: true })).toContainText('Qwen/Qwen3-8B');
  });

  await test.step('the deploy form has the file, the size and a generated key', async () => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`**/${slug}/deploy`);
    await expect(page.getByRole('radio', { name: /h200\.small/ })).toBeChecked();
    await expect(page.getByText('--tensor-parallel-size')).toBeVisible();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy MODEL_API_KEY' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^[A-Za-z0-9]{40}$/);
    await expect(page.getByRole('textbox', { name: 'Value of MODEL_API_KEY' })).toHaveValue(copied);
  });

  await test.step('another size can be chosen, and then the first one again', async () => {
    await page.getByRole('radio', { name: /tdx\.small/ }).check();
    await page.getByRole('radio', { name: /h200\.small/ }).check();
    await expect(page.getByRole('radio', { name: /tdx\.small/ })).not.toBeChecked();
  });
  // The built-in host has no GPU, so the deploy form's check is refused.
  expect(complaints.filter((one) => !one.includes('/cvms/preflight'))).toEqual([]);
});
