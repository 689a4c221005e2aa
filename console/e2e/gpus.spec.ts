import { expect, test } from './browser';
import { expectAccessible, registerInBrowser, watchConsole } from './support';

test('a member sees which GPUs are free, and why a size can’t be deployed', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'gpus');
  await page.goto(`/${slug}`);
  await page.getByRole('link', { name: 'GPU TEE' }).click();
  await expect(page.getByRole('heading', { name: 'GPU TEE', level: 1 })).toBeVisible();
  // The built-in host has no GPU.
  await expect(page.getByText('No GPU is free')).toBeVisible();
  const size = page.getByRole('row', { name: /One H200/ });
  await expect(size).toContainText('24 vCPU');
  const deploy = size.getByRole('button', { name: 'Deploy One H200' });
  await expect(deploy).toHaveAttribute('aria-disabled', 'true');
  await deploy.hover();
  await expect(page.getByRole('tooltip')).toHaveText('It needs 1 free GPU; none is free.');
  await expect(page.getByText('Not checked yet: GPU identity and certificate chain')).toBeVisible();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});
