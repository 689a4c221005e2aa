import { expect, it } from 'vitest';
import { busyProblem } from './operationConflict';

it('names the operation in progress, and a rollback as such', () => {
  const live = { type: 'update', correlation_id: 'op_1', created_at: new Date() } as const;
  expect(busyProblem('web', { ...live, rolls_back: false }).message).toContain(
    '“web” is busy: an update that',
  );
  expect(busyProblem('web', { ...live, rolls_back: true }).message).toContain(
    '“web” is busy: a rollback that',
  );
  expect(busyProblem('web', null).message).toBe('“web” is busy: another operation is in progress.');
});
