import { expect, it } from 'vitest';
import type { LiveAiKey } from '../../db/ai/aiKeys';
import type { RoutedModel } from '../../db/ai/aiModels';
import type { Services } from '../../operations/types';
import { createModelFinder } from './models';

it('caches models, but only so many', async () => {
  /** Names of the models read from the database. */
  let read: string[] = [];
  const found = (_db: unknown, team_id: number, id: string) => {
    read.push(id);
    return Promise.resolve({ model: { id, team_id } as RoutedModel, catalog_version: 1 });
  };
  const find = createModelFinder({} as Services, { find: found });
  const key = { team_id: 1, models: null, catalog_version: 1 } as LiveAiKey;
  for (let i = 0; i < 1_000; i++) await find(key, `acme/${i}`);
  await find(key, 'acme/0');
  expect(read).toHaveLength(1_000);
  await find(key, 'acme/1000');
  read = [];
  await find(key, 'acme/1000');
  expect(read).toEqual([]);
  await find(key, 'acme/0');
  expect(read).toEqual(['acme/0']);
});
