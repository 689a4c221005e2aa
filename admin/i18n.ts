import type { I18nProvider } from 'react-admin';
import { ownValue } from '../console/lib/ownValue';

/** Replacements for react-admin's visible messages; all other texts are in their components. */
const SENTENCES: Readonly<Record<string, string>> = {
  'ra.message.unsaved_changes': 'Leave this page? You have unsaved changes.',
};

export const i18nProvider: I18nProvider = {
  translate: (key: string, options?: { _?: string }) => ownValue(SENTENCES, key) ?? options?._ ?? key,
  changeLocale: () => Promise.resolve(),
  getLocale: () => 'en',
};
