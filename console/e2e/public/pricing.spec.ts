import { expect, test } from '../browser';

/** Layout of the prices and their calculator. */

/** Whether the selected option's text is longer than its box. */
function isCut(node: Element): boolean {
  const select = node as HTMLSelectElement;
  const pen = document.createElement('canvas').getContext('2d')!;
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  pen.font = font;
  // The arrow takes about 20 px.
  const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 20;
  return pen.measureText(select.selectedOptions[0]?.text ?? '').width > room;
}

test('the prices fit a phone without scrolling in their container', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/about/pricing');
  const prices = page.getByRole('region', { name: 'Sizes and prices' });
  await expect(prices.getByRole('row').nth(1)).toBeVisible();
  const hidden = () => prices.evaluate((box) => box.scrollWidth - box.clientWidth);
  expect(await hidden()).toBe(0);
  // A long name of an operator's size fits, too. Other tests don't expect such a size.
  await prices
    .getByRole('rowheader')
    .first()
    .evaluate((cell) => cell.prepend('Confidentialmemoryoptimized'));
  expect(await hidden()).toBe(0);
  // Every size is readable in the calculator, too.
  const size = page.getByRole('combobox', { name: 'Size' });
  for (const option of await size.locator('option').all()) {
    await size.selectOption((await option.getAttribute('value')) ?? '');
    expect(await size.evaluate(isCut), await option.innerText()).toBe(false);
  }
});

test('a calculator field keeps its row when it has a message', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/about/pricing?count=-5');
  await expect(page.getByText('Whole numbers from 1 to 100.')).toBeVisible();
  const top = async (name: string) => (await page.getByLabel(name).boundingBox())?.y;
  expect(await top('CVMs')).toBe(await top('Running hours a month'));
});
