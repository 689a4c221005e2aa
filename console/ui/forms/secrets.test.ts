import { describe, expect, it } from 'vitest';
import {
  generatedRows,
  looksLikeEnvFile,
  merge,
  newRow,
  planMerge,
  rowFaults,
  type SecretRow,
} from './secrets';

const row = (key: string, value: string, more: Partial<SecretRow> = {}): SecretRow => ({
  ...newRow(key, value),
  ...more,
});

describe('rowFaults', () => {
  it('finds invalid and duplicate names and ignores empty rows', () => {
    const rows = [row('A', '1'), row('', ''), row('1X', 'x'), row('A', '2'), row('', 'v'), row('a-b', '')];
    const faults = rowFaults(rows);
    expect(rows.map((r) => faults.get(r.id))).toEqual([
      undefined,
      undefined,
      'Names can’t start with a digit',
      'Same name as row 1: keep one',
      'Enter a name',
      'Use letters, digits and underscores only',
    ]);
  });
});

describe('merge', () => {
  it('adds, changes and keeps rows in place, and drops empty ones', () => {
    const rows = [row('A', '1'), row('', ''), row('B', '2')];
    const plan = planMerge(rows, [
      { key: 'B', value: 'two' },
      { key: 'A', value: '1' },
      { key: 'C', value: '3' },
    ]);
    expect(plan.map((line) => [line.key, line.kind])).toEqual([
      ['B', 'changed'],
      ['A', 'same'],
      ['C', 'added'],
    ]);
    expect(merge(rows, plan).map((r) => [r.key, r.value])).toEqual([
      ['A', '1'],
      ['B', 'two'],
      ['C', '3'],
    ]);
  });
  it('replaces a value known only to the server, and reports it', () => {
    const rows = [row('TOKEN', '', { kept: true })];
    const plan = planMerge(rows, [{ key: 'TOKEN', value: '' }]);
    expect(plan[0]?.kind).toBe('changed');
    expect(merge(rows, plan)[0]).toMatchObject({ key: 'TOKEN', value: '', kept: true, replaced: true });
  });
  it('keeps the last of duplicate names', () => {
    expect(
      planMerge(
        [],
        [
          { key: 'A', value: '1' },
          { key: 'A', value: '2' },
        ],
      ),
    ).toEqual([{ key: 'A', value: '2', kind: 'added' }]);
  });
});

describe('looksLikeEnvFile', () => {
  it('distinguishes a file from a name', () => {
    expect(looksLikeEnvFile('API_KEY')).toBe(false);
    expect(looksLikeEnvFile('# c\nexport API_KEY=x')).toBe(true);
    expect(looksLikeEnvFile('A=1\nB=2')).toBe(true);
  });
});

describe('generated values', () => {
  const key = row('API_KEY', 'k3y', { generated: 'k3y' });

  it('are listed until they are replaced or emptied', () => {
    expect(generatedRows([row('TYPED', 'k3y'), key])).toEqual([key]);
    expect(generatedRows([{ ...key, value: 'mine' }])).toEqual([]);
    expect(generatedRows([{ ...key, value: '' }])).toEqual([]);
  });
});
