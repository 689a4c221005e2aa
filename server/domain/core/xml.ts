import { ownValue } from '../../../console/lib/ownValue';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns text as the content of an element or attribute, without characters that XML 1.0 can't have. */
export const xmlText = (text: string): string =>
  text
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
    // eslint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll(/[&<>"]/g, (char) => ownValue(ENTITIES, char) ?? char);
