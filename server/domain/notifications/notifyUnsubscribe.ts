import { KINDS, type NotificationKind } from './notify';
import type { Seal } from '../core/seal';

const PURPOSE = 'unsubscribe';

/** The content of a mail's unsubscribe URL: user, kind and signature. It never expires. */
export function unsubscribeToken(seal: Seal, user_public_id: string, kind: NotificationKind): string {
  const text = `${user_public_id}.${kind}`;
  return `${text}.${seal.sign(PURPOSE, text)}`;
}

/** Null when the signature isn't ours. */
export function readUnsubscribeToken(
  seal: Seal,
  token: string,
): { user_public_id: string; kind: NotificationKind } | null {
  const [user_public_id = '', kind = '', mac = '', ...more] = token.split('.');
  if (more.length > 0 || !Object.hasOwn(KINDS, kind)) return null;
  return seal.verify(PURPOSE, `${user_public_id}.${kind}`, mac)
    ? { user_public_id, kind: kind as NotificationKind }
    : null;
}
