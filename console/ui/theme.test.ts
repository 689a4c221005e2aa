import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseSheet } from './baseSheet';
import { contrast } from './contrast';
import {
  motion,
  motionMs,
  schemeAttribute,
  schemes,
  schemeStorageKey,
  shellId,
  type ColorName,
} from './theme';

// Every foreground/background pair that components use. Add a new pair here before using it.
const grounds: ColorName[] = ['canvas', 'surface', 'raised', 'sunken', 'hover', 'selected'];
const textOnGround: ColorName[] = [
  'text',
  'muted',
  'faint',
  'accentText',
  'okText',
  'attentionText',
  'errorText',
  'progressText',
  'simulatedText',
  'neutralText',
];
const text: [ColorName, ColorName][] = [
  ...grounds.flatMap((ground) => textOnGround.map((ink): [ColorName, ColorName] => [ink, ground])),
  ['onAccent', 'accent'],
  ['onAccent', 'accentHover'],
  ['surface', 'errorText'],
  ['surface', 'text'], // tooltip
  ['accentText', 'accentSoft'],
  ...(['ok', 'attention', 'error', 'progress', 'simulated', 'neutral'] as const).flatMap(
    (tone): [ColorName, ColorName][] => [
      [`${tone}Text`, `${tone}Soft`],
      ['text', `${tone}Soft`],
      ['muted', `${tone}Soft`],
    ],
  ),
  ['simulatedText', 'simulatedHatch'],
  ['markText', 'markSoft'],
  ['markText', 'markCurrent'],
  ...(['codeKey', 'codeString', 'codeNumber', 'codeComment'] as const).flatMap(
    (ink): [ColorName, ColorName][] => [
      [ink, 'sunken'],
      [ink, 'surface'],
    ],
  ),
];
const edges: [ColorName, ColorName][] = [
  ...grounds.flatMap((ground) =>
    (
      [
        'control',
        'focus',
        'accent',
        'okSolid',
        'attentionSolid',
        'errorSolid',
        'progressSolid',
        'simulatedSolid',
        'neutralSolid',
      ] as const
    ).map((edge): [ColorName, ColorName] => [edge, ground]),
  ),
  // A meter's fill against its track.
  ...(['accent', 'okSolid', 'attentionSolid', 'errorSolid', 'progressSolid', 'neutralSolid'] as const).map(
    (edge): [ColorName, ColorName] => [edge, 'neutralSoft'],
  ),
];

describe.each(Object.entries(schemes))('%s scheme', (_name, tokens) => {
  it.each(text)('%s on %s is readable (≥ 4.5:1)', (ink, ground) => {
    expect(contrast(tokens[ink], tokens[ground])).toBeGreaterThanOrEqual(4.5);
  });
  it.each(edges)('%s against %s is visible (≥ 3:1)', (edge, ground) => {
    expect(contrast(tokens[edge], tokens[ground])).toBeGreaterThanOrEqual(3);
  });
});

describe('contrast', () => {
  it('matches the WCAG 2.2 reference values', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  });
});

it('the script that runs before the app uses the same names', () => {
  const script = readFileSync(new URL('../pageStart.js', import.meta.url), 'utf8');
  for (const name of [schemeAttribute, schemeStorageKey, shellId]) expect(script).toContain(`'${name}'`);
});

describe('motion', () => {
  it('takes less than 150 ms', () => {
    const times = [...Object.values(motion).map(parseFloat), ...Object.values(motionMs)];
    expect(times.filter((ms) => !(ms > 0 && ms < 150))).toEqual([]);
  });

  it('repeats only for what is still loading', () => {
    const root = path.resolve(import.meta.dirname, '../..');
    const files = ['console', 'admin'].flatMap((app) =>
      readdirSync(path.join(root, app), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\.gen\.|^e2e/.test(file))
        .map((file) => `${app}/${file}`),
    );
    const having = (pattern: RegExp) =>
      files.filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8'))).toSorted();
    expect(having(/\binfinite\b(?=[`'"])/)).toEqual([
      'console/ui/controls/Spinner.tsx',
      'console/ui/feedback/Skeletons.tsx',
    ]);
    // Every transition takes the theme's time.
    expect(having(/transition: (?!.*(motion\.|none)).*[`'"]/)).toEqual([]);
  });

  it('is off for users who ask for less', () => {
    expect(JSON.stringify(baseSheet)).toContain('prefers-reduced-motion: reduce');
  });
});
