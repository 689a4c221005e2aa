import type { FieldDescription } from './types';
import { inSentence, words } from './labels';

/*
 * Values of one field: from the record into a control, from the control into a request, and what is wrong with it on the way.
 * The server checks all of it again; this is for answering at once and at the right place.
 */

/** What a control shows: text, except for switches. */
export function toControl(field: FieldDescription, value: unknown): string | boolean {
  if (field.type === 'boolean') return value === true;
  if (value === null || value === undefined) return '';
  if (field.type === 'list' && Array.isArray(value)) return value.join('\n');
  if (isStructure(field) && typeof value !== 'string') return JSON.stringify(value, null, 2);
  if (field.type === 'time' && typeof value === 'string') return localMinute(value);
  return String(value);
}

const NUMBERS: readonly string[] = ['integer', 'number', 'usage', 'megabytes', 'gigabytes'];

export const isNumeric = (field: FieldDescription) => NUMBERS.includes(field.type);

/** What a request carries for what was typed: null where emptied and allowed, undefined where it is left out. */
export function fromControl(field: FieldDescription, typed: string | boolean): unknown {
  if (typeof typed === 'boolean') return typed;
  // A secret or a text may begin or end with a blank on purpose; a number or an id may not.
  const text = field.type === 'secret' || field.type === 'long_text' ? typed : typed.trim();
  if (text === '') {
    if (field.type === 'secret') return undefined;
    if (field.nullable) return null;
    return isText(field) && (field.minLength ?? 0) === 0 ? '' : undefined;
  }
  if (isNumeric(field)) return number(text);
  if (field.type === 'list')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  if (field.type === 'time') return Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString();
  if (isStructure(field)) return parsed(text);
  return text;
}

/** Written as JSON. */
const isStructure = ({ type }: FieldDescription) => type === 'json' || type === 'rows';

const isText = (field: FieldDescription) => ['text', 'long_text', 'mono', 'code'].includes(field.type);

/** What is no number stays text, so that the check can say so instead of sending NaN. */
function number(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The sentence under the field, or undefined. `value` is as `fromControl` gives it. */
export function faultOf(field: FieldDescription, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') {
    return field.required && !(field.type === 'secret' || field.nullable)
      ? `Enter ${naming(field)}.`
      : undefined;
  }
  if (isNumeric(field)) return numberFault(field, value);
  if (isStructure(field) && typeof value === 'string') return 'This is not valid JSON.';
  if (field.choices && !field.choices.includes(String(value))) return `Choose ${naming(field)}.`;
  return typeof value === 'string' ? textFault(field, value) : undefined;
}

/** "the name", "the URL": an abbreviation keeps its capitals. */
const naming = ({ label }: FieldDescription) => `the ${inSentence(label)}`;

function numberFault(field: FieldDescription, value: unknown): string | undefined {
  if (typeof value !== 'number') return 'Enter a number.';
  if (field.type !== 'number' && !Number.isInteger(value)) return 'Enter a whole number.';
  const { minimum, maximum } = field;
  if (minimum !== undefined && value < minimum) return `It is at least ${minimum}.`;
  return maximum !== undefined && value > maximum ? `It is at most ${maximum}.` : undefined;
}

function textFault(field: FieldDescription, value: string): string | undefined {
  const length = [...value].length;
  if (field.minLength !== undefined && length < field.minLength)
    return `It has at least ${field.minLength} characters.`;
  if (field.maxLength !== undefined && length > field.maxLength)
    return `It has at most ${field.maxLength} characters; this has ${length}.`;
  if (field.pattern !== undefined && !new RegExp(field.pattern, 'u').test(value))
    return field.type === 'money'
      ? 'Enter an amount such as 0.058, with at most six decimals.'
      : `It must match ${field.pattern}`;
  return undefined;
}

/** "2026-11-21T09:30", the form in which `datetime-local` wants the time of this place. */
function localMinute(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  const two = (n: number) => String(n).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** Words of a choice: "dstack_vmm" → "Dstack VMM". */
export const choiceLabel = (choice: string) => words(choice);

/** One line of text for any value: titles, chips, crumbs. */
export function plain(value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
