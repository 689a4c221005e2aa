import { expect, it } from 'vitest';
import ts from 'typescript';
import { findForeignKeys } from './ownKeys';

/** Returns the findings for a file with these lines. */
function findingsIn(lines: string): string[] {
  const file = '/root/server/a.ts';
  const text = `
    interface Array<T> { length: number; [n: number]: T }
    interface Boolean {} interface Function {} interface IArguments {} interface Number {} interface Object {}
    interface RegExp {} interface String {}
    declare const table: { [key: string]: number };
    declare const small: { a: number; b: number };
    declare const word: string;
    declare const letter: 'a' | 'b';
    declare const list: number[];
    declare const anything: any;
    ${lines}`;
  const host = ts.createCompilerHost({ noLib: true });
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  host.getSourceFile = (name) => (name === file ? source : undefined);
  const program = ts.createProgram([file], { noLib: true, strict: true }, host);
  return findForeignKeys(program, '/root').map((one) => one.replace(/^\S+ /, ''));
}

it('finds lookups by arbitrary strings', () => {
  expect(findingsIn('table[word];')).toEqual(['table[word]']);
  expect(findingsIn('word in table;')).toEqual(['word in table']);
  expect(findingsIn('table[word + "x"];')).toEqual(['table[word + "x"]']);
  expect(findingsIn('table[anything];')).toEqual(['table[anything]']);
  expect(findingsIn('function f<K extends string>(k: K) { return table[k]; }')).toEqual(['table[k]']);
});

it('allows literal keys, numbers and writes', () => {
  expect(findingsIn('small[letter]; small["a"]; list[0]; list[list.length - 1];')).toEqual([]);
  expect(findingsIn('"a" in small; letter in small;')).toEqual([]);
  expect(findingsIn('table[word] = 1; delete table[word];')).toEqual([]);
});
