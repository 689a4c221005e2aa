import type { AbuseKind } from '../../../generated/api/types.gen';

/** The reasons for reporting an app. */
export const ABUSE_KINDS: Readonly<Record<AbuseKind, string>> = {
  misleading: 'It pretends to be something else',
  phishing: 'It collects passwords or payment data',
  malware: 'It spreads malware or attacks others',
  illegal: 'It offers something illegal',
  other: 'Something else',
};
