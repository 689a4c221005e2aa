import { KINDS, type NotificationKind } from './notify';
import type { Seal } from '../core/seal';
import { readSignedToken, signedToken } from '../core/signedToken';

const PURPOSE = 'unsubscribe';

/** The content of an email's unsubscribe URL: user, kind and signature. It never expires. */
export const unsubscribeToken = (seal: Seal, user_public_id: string, kind: NotificationKind): string =>
  signedToken(seal, PURPOSE, `${user_public_id}.${kind}`, '.');

/** Null when the signature isn't ours. */
export function readUnsubscribeToken(
  seal: Seal,
  token: string,
): { user_public_id: string; kind: NotificationKind } | null {
  const text = readSignedToken(seal, PURPOSE, token, '.');
  const [user_public_id = '', kind = ''] = text?.split('.') ?? [];
  return text !== null && Object.hasOwn(KINDS, kind)
    ? { user_public_id, kind: kind as NotificationKind }
    : null;
}
