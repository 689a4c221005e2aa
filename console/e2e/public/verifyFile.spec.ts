import { expect, test } from '../browser';
import { expectAccessible, watchConsole } from '../support';

test('a visitor drops evidence and sees what is wrong with it', async ({ page }) => {
  const complaints = watchConsole(page);
  const uploads: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') uploads.push(request.url());
  });
  await page.goto('/explorer/verify');
  const choose = (name: string, text: string | Buffer) =>
    page
      .getByLabel('Evidence file or quote')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });
  const verdict = page.getByRole('status');

  await choose('notes.txt', 'not evidence');
  await expect(verdict).toContainText('Couldn’t verify the evidence');
  await expect(verdict).toContainText('notes.txt: ');
  await choose('zeros.bin', Buffer.concat([Buffer.from([4, 0]), Buffer.alloc(5000)]));
  await expect(verdict).toContainText('Not verified');
  await choose('simulated.json', JSON.stringify({ simulated: true, event_log: '[]' }));
  await expect(verdict).toContainText('Simulated');
  await expect(page.locator('[data-tone="ok"]')).toHaveCount(0);

  const policy = page.getByLabel('Policy file');
  await policy.setInputFiles({ name: 'any.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await expect(page.getByRole('alert')).toContainText('any.json: It is empty');
  await expect(verdict).toContainText('Simulated');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove policy file' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Remove policy file' })).toHaveCount(0);
  await expect(verdict).toContainText('Simulated');
  expect([complaints, uploads]).toEqual([[], []]);
});
