import { expect, it } from 'vitest';
import { getResource, resources } from '../schema/resources';
import { doneText } from './action';

const action = (resource: string, name: string) =>
  getResource(resource).actions.find((one) => one.name === name)!;

it('says what happened to which record', () => {
  expect(doneText(action('invoices', 'issue'), 'inv_1f2e')).toBe('Invoice inv_1f2e issued');
  expect(doneText(action('teepods', 'drain'), 'rack1-a')).toBe('Drain of rack1-a started');
  // As it is, whatever the name contains.
  expect(doneText(action('teepods', 'cordon'), '$& {record}')).toBe('$& {record} cordoned');
});

it('says it in a sentence for an action that the document has no words for', () => {
  expect(doneText({ label: 'Water' }, 'Fern 3')).toBe('“Water” done for Fern 3');
  expect(doneText({ label: 'Repot', starts: true }, 'Fern 3')).toBe('“Repot” started for Fern 3');
});

it('has words for every action but those whose reply is shown instead', () => {
  const records = new Set(resources.map(({ schema }) => schema));
  const silent = resources.flatMap(({ name, actions }) =>
    actions
      .filter(({ done, reply }) => done === undefined && (reply === undefined || records.has(reply)))
      .map((one) => `${name}/${one.name}`),
  );
  expect(silent).toEqual([]);
});
