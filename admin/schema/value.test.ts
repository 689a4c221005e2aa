import { describe, expect, it } from 'vitest';
import { adminForms } from '../../generated/admin/forms.gen';
import { createFields, describeForm, editFields } from './forms';
import { getResource, resources } from './resources';
import type { FieldDescription } from './types';
import { choiceLabel, errorOf, fromControl, PATTERN_ERRORS, toControl, wordOf } from './value';

const field = (resource: string, form: 'create' | 'edit', name: string): FieldDescription =>
  (form === 'create' ? createFields : editFields)(getResource(resource)).find((one) => one.name === name)!;

const make = (parts: Partial<FieldDescription>): FieldDescription => ({
  name: 'thing',
  label: 'Thing',
  type: 'text',
  required: false,
  nullable: false,
  omittable: true,
  readOnly: false,
  ...parts,
});

describe('from a control to a request', () => {
  it('sends null for an emptied nullable field, otherwise omits it or sends empty text', () => {
    expect(fromControl(field('nodes', 'edit', 'region'), '')).toBeNull();
    expect(fromControl(field('nodes', 'edit', 'notes'), '')).toBe('');
    expect(fromControl(field('nodes', 'edit', 'name'), '')).toBeUndefined();
    expect(fromControl(field('teepods', 'edit', 'credential'), '')).toBeUndefined();
  });

  it('parses numbers and rejects invalid ones', () => {
    const memory = field('instance-types', 'create', 'memory_mb');
    expect(fromControl(memory, ' 2048 ')).toBe(2048);
    expect(errorOf(memory, fromControl(memory, '2 GB'))).toBe('Enter a number.');
    expect(errorOf(memory, fromControl(memory, '2.5'))).toBe('Enter a whole number.');
    expect(errorOf(memory, 64)).toBe('Must be at least 128 MB.');
  });

  it('keeps spaces in a secret and splits a list into lines', () => {
    expect(fromControl(field('teepods', 'create', 'credential'), ' a b ')).toBe(' a b ');
    expect(fromControl(make({ type: 'list' }), 'a\n\n b ')).toEqual(['a', 'b']);
  });

  it('round-trips a time', () => {
    const time = make({ type: 'time' });
    const iso = '2026-11-21T08:30:00.000Z';
    expect(fromControl(time, String(toControl(time, iso)))).toBe(iso);
  });
});

describe('validation', () => {
  it('names a missing field', () => {
    expect(errorOf(field('nodes', 'create', 'name'), undefined)).toBe('Enter the name.');
    expect(errorOf(field('teepods', 'create', 'url'), '')).toBe('Enter the URL.');
    expect(errorOf(field('nodes', 'create', 'region'), null)).toBeUndefined();
  });

  it("checks the document's patterns, limits and choices", () => {
    expect(errorOf(field('nodes', 'create', 'name'), 'two words')).toContain('Use letters, digits');
    expect(errorOf(field('nodes', 'create', 'name'), 'a'.repeat(101))).toContain('at most 100');
    expect(errorOf(field('instance-types', 'create', 'hourly_rate'), '1,5')).toContain('0.058');
    expect(errorOf(field('instance-types', 'create', 'hourly_rate'), '0.058')).toBeUndefined();
    expect(errorOf(field('nodes', 'create', 'state'), 'broken')).toBe('Choose the state.');
  });

  it('requires more than 0 if money is moved', () => {
    const amount = field('credits', 'create', 'amount');
    for (const text of ['-5', '0', '0.00', '1,5'])
      expect(errorOf(amount, text)).toBe(
        'Enter an amount above 0, such as 12.50, with at most six decimals.',
      );
    expect(errorOf(amount, '0.01')).toBeUndefined();
    expect(errorOf(field('instance-types', 'create', 'hourly_rate'), '0')).toBeUndefined();
  });

  it('names the row and field of an error in a list', () => {
    const rows = make({
      type: 'rows',
      columns: [make({ name: 'name', label: 'Name', required: true })],
    });
    expect(errorOf(rows, [{ name: 'a' }, {}])).toBe('Row 2: Enter the name.');
    expect(errorOf(rows, [{ name: 'a' }])).toBeUndefined();
    expect(errorOf(make({ type: 'list' }), ['a', ''])).toBe('Fill in or remove empty entries.');
  });

  it('has an input for every field, so that no form asks for JSON', () => {
    const forms = resources.flatMap(({ forms: { create, edit }, actions }) => [
      create,
      edit,
      ...actions.map(({ body }) => body),
    ]);
    const fields = forms.flatMap((form) =>
      describeForm(form).flatMap((one) => [one, ...(one.columns ?? [])]),
    );
    expect(fields.length).toBeGreaterThan(100);
    expect(fields.filter(({ type }) => type === 'json').map(({ name }) => name)).toEqual([]);
  });

  it('has a message for every pattern of a form', () => {
    const patterns = [...JSON.stringify(adminForms).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    const missing = patterns.map(([, pattern]) => JSON.parse(pattern ?? '""') as string);
    expect(missing.filter((pattern) => !Object.hasOwn(PATTERN_ERRORS, pattern))).toEqual([]);
  });
});

it('spells out machine words that are text', () => {
  expect(wordOf({ spoken: true }, 'deploy.succeeded')).toBe('Deploy succeeded');
  expect(wordOf({ spoken: true }, 'cvm.debt_delete')).toBe('CVM debt delete');
  expect(wordOf({}, 'deploy.succeeded')).toBeUndefined();
  for (const [resource, name] of [
    ['instance-events', 'kind'],
    ['workspaces', 'tier'],
  ] as const)
    expect(getResource(resource).fields.find((one) => one.name === name)?.spoken, name).toBe(true);
});

it('names payment methods as shown to teams', () => {
  const driver = getResource('payments').fields.find(({ name }) => name === 'driver');
  expect(driver?.choices?.map((choice) => choiceLabel(choice))).toEqual(['Bank transfer', 'Card', 'USDC']);
});

it('names kinds and states of money like the console', () => {
  const labels = (resource: string, name: string) => {
    const { choices = [], words } = getResource(resource).fields.find((one) => one.name === name)!;
    return choices.map((choice) => choiceLabel(choice, words));
  };
  expect(labels('transactions', 'kind')).toEqual(
    expect.arrayContaining(['Payment', 'Usage', 'Credit', 'Expired credit', 'Order refund']),
  );
  expect(labels('transactions', 'kind')).not.toContain('Top up');
  expect(labels('payments', 'state')).toEqual(expect.arrayContaining(['Waiting', 'Received', 'Not paid']));
  expect(labels('orders', 'state')).toEqual(expect.arrayContaining(['Waiting for payment', 'Starts later']));
});

it('requires whole cents if banks and cards move the amount', () => {
  const [amount] = describeForm('RefundAdminPayment');
  for (const typed of ['10,5', '-1', '0.001'])
    expect(errorOf(amount!, typed), typed).toBe('Enter an amount above 0 in whole cents, such as 12.50.');
  for (const typed of ['10', '10.5', '10.50', '10.500000'])
    expect(errorOf(amount!, typed), typed).toBeUndefined();
});

it('offers the values of a multiple choice as choices', () => {
  const endpoints = describeForm('CreateAdminAiModel').find(({ name }) => name === 'endpoints')!;
  expect(endpoints).toMatchObject({ type: 'list' });
  expect(endpoints.choices?.map((choice) => choiceLabel(choice, endpoints.words))).toEqual([
    'Chat completions',
    'Completions',
    'Embeddings',
    'Responses',
  ]);
});
