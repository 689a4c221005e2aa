import { describe, expect, it } from 'vitest';
import { createFields, editFields } from './forms';
import { getResource } from './resources';
import type { FieldDescription } from './types';
import { faultOf, fromControl, toControl } from './value';

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
  it('an emptied field is null where null is allowed, else left out or empty text', () => {
    expect(fromControl(field('nodes', 'edit', 'region'), '')).toBeNull();
    expect(fromControl(field('nodes', 'edit', 'notes'), '')).toBe('');
    expect(fromControl(field('nodes', 'edit', 'name'), '')).toBeUndefined();
    expect(fromControl(field('teepods', 'edit', 'credential'), '')).toBeUndefined();
  });

  it('numbers are numbers, and what is none stays to be complained about', () => {
    const memory = field('instance-types', 'create', 'memory_mb');
    expect(fromControl(memory, ' 2048 ')).toBe(2048);
    expect(faultOf(memory, fromControl(memory, '2 GB'))).toBe('Enter a number.');
    expect(faultOf(memory, fromControl(memory, '2.5'))).toBe('Enter a whole number.');
    expect(faultOf(memory, 64)).toBe('It is at least 128.');
  });

  it('a secret keeps its blanks, a list its lines', () => {
    expect(fromControl(field('teepods', 'create', 'credential'), ' a b ')).toBe(' a b ');
    expect(fromControl(make({ type: 'list' }), 'a\n\n b ')).toEqual(['a', 'b']);
  });

  it('a time survives the way there and back', () => {
    const time = make({ type: 'time' });
    const iso = '2026-11-21T08:30:00.000Z';
    expect(fromControl(time, String(toControl(time, iso)))).toBe(iso);
  });
});

describe('what is wrong with a value', () => {
  it('says what is missing, by its name', () => {
    expect(faultOf(field('nodes', 'create', 'name'), undefined)).toBe('Enter the name.');
    expect(faultOf(field('teepods', 'create', 'url'), '')).toBe('Enter the URL.');
    expect(faultOf(field('nodes', 'create', 'region'), null)).toBeUndefined();
  });

  it("knows the document's patterns, limits and choices", () => {
    expect(faultOf(field('nodes', 'create', 'name'), 'two words')).toContain('must match');
    expect(faultOf(field('nodes', 'create', 'name'), 'a'.repeat(101))).toContain('at most 100');
    expect(faultOf(field('instance-types', 'create', 'hourly_rate'), '1,5')).toContain('0.058');
    expect(faultOf(field('instance-types', 'create', 'hourly_rate'), '0.058')).toBeUndefined();
    expect(faultOf(field('nodes', 'create', 'state'), 'broken')).toBe('Choose the state.');
  });
});
