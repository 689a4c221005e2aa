import type { DefaultVersion } from '../../../../generated/api/types.gen';
import { NEWEST_VERSION } from '../../../lib/apiVersion';
import { ownValue } from '../../../lib/ownValue';

type Version = NonNullable<DefaultVersion>;

/** Version used when neither the request nor its token names one. */
const SERVER_DEFAULT = '2026-01-21';

/** Newest first. */
const NOTES: Readonly<Record<Version, string>> = {
  [NEWEST_VERSION]: 'newest',
  '2026-05-22': '',
  [SERVER_DEFAULT]: '',
  '2025-10-28': 'oldest',
};

/** Options for a token's default API version; the empty value is the server's default. */
export const versionChoices = [
  { value: '', label: `Server default (${SERVER_DEFAULT})` },
  ...Object.entries(NOTES).map(([version, note]) => ({
    value: version,
    label: note === '' ? version : `${version} (${note})`,
  })),
];

/** Returns an option's version. */
export const chosenVersion = (value: string): DefaultVersion =>
  ownValue<string | undefined>(NOTES, value) === undefined ? null : (value as Version);
