import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast } from './contrast';
import { schemeAttribute, schemes, schemeStorageKey, shellId, type ColorName } from './theme';

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
