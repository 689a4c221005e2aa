import { expect, test } from 'vitest';
import { fieldLabel, groupsInOrder, inSentence, plural, singular, unitWritten } from './labels';

test('a unit leaves the label and stands behind the figure', () => {
  expect([fieldLabel('every_seconds'), unitWritten('every_seconds')]).toEqual(['Every', 's']);
  expect([fieldLabel('duration_ms'), unitWritten('duration_ms')]).toEqual(['Duration', 'ms']);
  expect([fieldLabel('minutes'), unitWritten('minutes')]).toEqual(['Minutes', undefined]);
  expect([fieldLabel('attempts'), unitWritten('attempts')]).toEqual(['Attempts', undefined]);
});

test('names within a sentence keep the capitals of abbreviations', () => {
  expect(['Nodes', 'CVMs', 'GPU events', 'vCPU'].map(inSentence)).toEqual([
    'nodes',
    'CVMs',
    'GPU events',
    'vCPU',
  ]);
  expect([singular('instance-types'), plural('instance-types')]).toEqual(['instance type', 'instance types']);
  expect([singular('outbox'), plural('outbox')]).toEqual(['mail', 'mails']);
});

test('the menu begins with what people come for; a part without a place comes last', () => {
  expect(groupsInOrder(['system', 'lately', 'infrastructure', 'compute', 'system'])).toEqual([
    'compute',
    'infrastructure',
    'system',
    'lately',
  ]);
});
