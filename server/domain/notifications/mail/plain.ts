/** Maximum length of a name in mail; longer ones are usually advertising. */
const NAME_LENGTH = 80;

const WORD_JOINER = '\u2060';

/**
 * Returns one line of harmless text: control, format and direction characters become blanks, so that no value
 * can start a header (RFC 5322 §2.2) or reverse the surrounding text.
 */
export const oneLine = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

/** Like `oneLine`, for text that is already composed: characters added by `unlinked` stay invisible. */
export const subjectLine = (text: string) =>
  text
    .normalize('NFC')
    .replace(/(?:(?!\u2060)[\p{C}\p{Zl}\p{Zp}\s])+/gu, ' ')
    .trim();

/**
 * Quotes a user-chosen name of a user or team so that it can't escape the quotes. Mail clients link anything
 * that looks like a domain, and invitations go to strangers: an invisible character keeps `evil.example`
 * plain text.
 */
export function named(text: string): string {
  const characters = [...oneLine(text).replaceAll(/[“”"]/g, '’')];
  const short =
    characters.length > NAME_LENGTH
      ? `${characters.slice(0, NAME_LENGTH - 1).join('')}…`
      : characters.join('');
  return `“${unlinked(short)}”`;
}

/** Amounts and times stay unchanged, so that a mailbox search finds them: $500.00, 18:39. */
export const unlinked = (text: string) =>
  text
    .replaceAll(/(?<!\d)[.:](?=\S)|[.:](?=[^\s\d])|@(?=\S)/g, (mark) => `${mark}${WORD_JOINER}`)
    .replaceAll('//', `/${WORD_JOINER}/`);

/**
 * The same for text to copy: an invisible character would break a reference such as `nginx:1.27`, so only text
 * that mail clients take for a host name gets one.
 */
export const unlinkedCode = (text: string) =>
  text.replaceAll(/[.@](?=\p{L})/gu, (mark) => `${mark}${WORD_JOINER}`).replaceAll('//', `/${WORD_JOINER}/`);

/**
 * Returns the single recipient address. Stricter than RFC 5322 §3.4.1: no quotes, comments, lists or routes,
 * which a mail server could read as more than one recipient. @throws for anything else: accounts and
 * invitations are validated long before
 */
export function mailAddress(text: string): string {
  if (!isMailAddress(text)) throw new Error('the recipient is not a single email address');
  return text;
}

/** Whether mail can be sent to an address; see `mailAddress`. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u.test(text);
