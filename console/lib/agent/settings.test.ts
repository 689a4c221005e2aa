import { describe, expect, it } from 'vitest';
import { settingOf, shownSetting, type SettingKind } from './settings';

/** Types key by key into a field, as the form does. @returns the value, and the text then shown */
function type(keys: string, before: string | number | boolean) {
  const kind = typeof before as SettingKind;
  let value = before;
  let text = '';
  for (const key of keys) {
    text += key;
    value = settingOf(text, kind);
    text = shownSetting(text, value, kind);
  }
  return [value, text];
}

describe('a setting', () => {
  it('stays a number while one is typed', () => {
    expect(type('0.75', 0.5)).toEqual([0.75, '0.75']);
    expect(type('-1.50', 3)).toEqual([-1.5, '-1.50']);
    expect(type('2000', 100)).toEqual([2000, '2000']);
    expect(type('auto', 100)).toEqual(['auto', 'auto']);
    expect(settingOf('', 'number')).toBe('');
  });

  it('stays true or false, or text', () => {
    expect(type('false', true)).toEqual([false, 'false']);
    expect(type('100', 'auto')).toEqual(['100', '100']);
  });

  it('shows a value that changed elsewhere', () => {
    expect(shownSetting('0.', 0, 'number')).toBe('0.');
    expect(shownSetting('0.', 7, 'number')).toBe('7');
    expect(shownSetting(null, false, 'boolean')).toBe('false');
  });
});
