import { expect, it } from 'vitest';
import { adminMenu } from '../../../generated/api/adminMenu.gen';
import { adminMenuOf } from '../../lib/adminMenu';
import { movesOf } from './moves';

it('gives each page of the admin menu a letter of its own', () => {
  const reader = {
    platform_permissions: [...new Set(adminMenu.map(({ permission }) => permission))],
    environment: { chat_bot_service: 'chat' },
  };
  const keys = movesOf(adminMenuOf(adminMenu, reader, '')).map(({ key }) => key);
  expect(keys.length).toBeGreaterThan(8);
  expect(new Set(keys).size).toBe(keys.length);
});
