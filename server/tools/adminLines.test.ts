import { describe, expect, it } from 'vitest';
import { adminLines, entriesOf, lines, medianOf, TOO_MANY } from './adminLines';

describe('hand-written lines of the admin area', () => {
  it('stay below the limit for the median resource', () => {
    const counts = adminLines();
    expect(counts.length).toBeGreaterThan(20);
    expect(medianOf(counts)).toBeLessThan(TOO_MANY);
    // Some resources have custom pages, so the count isn't empty.
    expect(counts[0]?.lines).toBeGreaterThan(TOO_MANY);
  });

  it('belong to the resource whose entry names the file', () => {
    const found = entriesOf(`export const recordPages: Table = {
  'bulk-jobs': [lazy(() => import('./bulk-jobs/JobRows').then((m) => m))],
  kms: [
    {
      path: 'x',
      component: lazy(() => import('./kms/X')),
    },
  ],
};

export const areaPages: readonly AreaPage[] = [
  { component: lazy(() => import('./fleet/Map')) },
];
`);
    expect(found.get('bulk-jobs')?.files).toEqual(['bulk-jobs/JobRows']);
    expect(found.get('kms')).toMatchObject({ files: ['kms/X'] });
    expect(lines(found.get('kms')?.text ?? '')).toBe(6);
    expect(found.get('')?.files).toEqual(['fleet/Map']);
  });

  it('exclude blank lines and comments', () => {
    expect(lines('/** a\n * b */\nconst a = 1;\n\n// c\nconst b = 2;')).toBe(2);
  });

  it('have a median for odd and even numbers of resources', () => {
    const of = (...all: number[]) => medianOf(all.map((one) => ({ resource: 'x', lines: one })));
    expect(of(3, 1, 2)).toBe(2);
    expect(of(4, 1, 2, 3)).toBe(2.5);
  });
});
