import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import {
  addressOf,
  matching,
  photoPages,
  SCHEMES,
  WIDTHS,
  type PhotoPage,
  type RecordNeed,
} from '../../../server/tools/photoPages';
import { resources } from '../../../admin/schema/resources';
import { callApi } from '../support';
import { openPage } from '../walk';
import { seed } from './seed';

const FOLDER = process.env.PHOTOS_FOLDER ?? '/tmp/teehouse-photos';
const words = (process.env.PHOTOS_WORDS ?? '').split(' ').filter(Boolean);

test('photographs every page', async ({ browser }) => {
  await mkdir(FOLDER, { recursive: true });
  const { visitors, seeded } = await seed(browser);
  const all = matching(photoPages(), words);
  const failed: string[] = [];

  const photographAll = async (pages: readonly PhotoPage[]) => {
    for (const one of pages) {
      const page = visitors[one.visitor];
      try {
        const records = await recordsFor(visitors.administrator, one.records);
        if (one.records && !(records.id && (records.childId || !one.route.includes('$childId')))) {
          await writeFile(`${FOLDER}/${one.name}.txt`, 'No record of this kind exists.');
          continue;
        }
        await openPage(page, addressOf(one, seeded, records));
        await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
        await photograph(page, one.name);
      } catch (error) {
        failed.push(one.route);
        await writeFile(`${FOLDER}/${one.name}.txt`, error instanceof Error ? error.message : String(error));
      }
    }
  };
  // Each visitor has one page; administrators have the most.
  const isAdmin = ({ visitor }: PhotoPage) => visitor === 'administrator';
  await Promise.all([
    photographAll(all.filter(isAdmin)),
    photographAll(all.filter((page) => !isAdmin(page))),
  ]);
  expect(failed).toEqual([]);
});

/** Photographs the page at every width, light and dark. */
async function photograph(page: Page, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    // Without a saved choice, the page follows the system's color scheme on load.
    await page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme), colorScheme);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await page.screenshot({
        path: `${FOLDER}/${name}-${width}-${colorScheme}.png`,
        animations: 'disabled',
        fullPage: true,
      });
    }
  }
}

type AdminRecord = { id: string | number } & Record<string, unknown>;

async function newest(page: Page, resource: string): Promise<AdminRecord[]> {
  const { field, order } = resources.find(({ name }) => name === resource)?.sort ?? {
    field: 'id',
    order: 'DESC',
  };
  const query = `sort=${JSON.stringify([field, order])}&range=[0,99]`;
  return callApi<AdminRecord[]>(page, 'get', `/admin/${resource}?${query}`);
}

/** Finds a record for the address, including a child record if the address has one and any exists. */
async function recordsFor(
  page: Page,
  need: RecordNeed | undefined,
): Promise<{ id?: string; childId?: string }> {
  if (need === undefined) return {};
  if (need.child) {
    const { resource, field } = need.child;
    const child = (await newest(page, resource)).find((record) => record[field] != null);
    if (child) return { id: String(child[field]), childId: String(child.id) };
  }
  const [record] = await newest(page, need.resource);
  return record === undefined ? {} : { id: String(record.id) };
}
