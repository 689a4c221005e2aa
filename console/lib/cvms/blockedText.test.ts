import { expect, it } from 'vitest';
import { blockedText, waitText } from './blockedText';

const update = { type: 'update', rolls_back: false } as const;
const rollback = { type: 'update', rolls_back: true } as const;

it('names the operation in progress, and a rollback as such', () => {
  expect(blockedText('busy', update)).toBe('Another operation is in progress: update.');
  expect(blockedText('busy', rollback)).toBe('Another operation is in progress: rollback.');
  expect(blockedText('busy', null)).toBe('Another operation is in progress.');
  expect(waitText(rollback)).toBe('Wait until the rollback finishes.');
  expect(waitText(null)).toBe('Wait until the current operation finishes.');
});
