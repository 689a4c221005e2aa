import { expect, test } from 'vitest';
import type { TemplateInput } from '../../../../generated/api/types.gen';
import { newRow } from '../../../ui/forms/secrets';
import { mergeCompose, newerSecrets } from './templateUpdate';

const compose = (image: string, more = '') => `services:
  db:
    image: ${image}
    restart: unless-stopped
    environment:
      PASSWORD: \${PASSWORD}
    volumes:
      - data:/data
volumes:
  data:
${more}`;
const [old, young] = [compose('postgres:17'), compose('postgres:18')];

test('gives an unchanged app the template’s new file', () => {
  expect(mergeCompose(old, old, young)).toEqual({ compose: young, keepsChanges: null });
});

test('merges the app’s own changes with the template’s', () => {
  const running = compose('postgres:17', '  backups:\n');
  expect(mergeCompose(old, running, young)).toEqual({
    compose: compose('postgres:18', '  backups:\n'),
    keepsChanges: true,
  });
});

test('uses the template’s file where both changed the same line, and reports it', () => {
  expect(mergeCompose(old, compose('postgres:16'), young)).toEqual({ compose: young, keepsChanges: false });
  expect(mergeCompose(null, old, young)).toEqual({ compose: young, keepsChanges: false });
});

const input = (key: string, change: Partial<TemplateInput> = {}): TemplateInput => ({
  key,
  label: key,
  description: null,
  secret: false,
  required: true,
  default: null,
  generate: null,
  pattern: null,
  ...change,
});

test('keeps saved secrets, adds new inputs and drops unused ones', () => {
  const rows = ['PASSWORD', 'GONE', 'OWN'].map((key) => ({ ...newRow(key), kept: true }));
  const made = newerSecrets(
    rows,
    [
      input('PASSWORD', { generate: 20 }),
      input('MODE', { default: 'fast' }),
      input('TOKEN', { generate: 20 }),
    ],
    { running: '${PASSWORD} ${GONE}', compose: '${PASSWORD} ${MODE} ${TOKEN}' },
  );
  expect(made.map(({ key, kept = false }) => [key, kept])).toEqual([
    ['PASSWORD', true],
    ['OWN', true],
    ['MODE', false],
    ['TOKEN', false],
  ]);
  expect(made[2]).toMatchObject({ value: 'fast' });
  expect(made[3]?.value).toMatch(/^[A-Za-z0-9]{20}$/);
  expect(made[3]?.generated).toBe(made[3]?.value);
});
