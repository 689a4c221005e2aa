import { expect, it } from 'vitest';
import { chosenValues, differences, firstChoice } from './fieldConflict';

const was = { name: 'web', events: ['a'], note: null, size: 1 };
const names = Object.keys(was);

it('lists fields changed on either side and marks those changed differently on both', () => {
  const found = differences(
    names,
    was,
    { ...was, name: 'theirs', events: ['a', 'b'], size: 2 },
    { ...was, name: 'mine', note: 'new', size: 2 },
  );
  expect(found.map(({ name, disputed }) => [name, disputed])).toEqual([
    ['name', true],
    ['events', false],
    ['note', false],
    ['size', false],
  ]);
  expect(found.map(firstChoice)).toEqual(['mine', 'theirs', 'mine', 'mine']);
  expect(chosenValues(found, {})).toEqual({ name: 'mine', note: 'new', size: 2 });
  expect(chosenValues(found, { name: 'theirs', events: 'mine' })).toEqual({
    events: ['a'],
    note: 'new',
    size: 2,
  });
});

it('treats an empty secret field as unchanged', () => {
  expect(differences(['secret'], { secret: undefined }, { secret: 'replaced' }, {})).toMatchObject([
    { theirs: 'replaced', mine: undefined, disputed: false },
  ]);
});
