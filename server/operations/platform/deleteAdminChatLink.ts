import type { Handler } from '../types';
import { removeRow } from '../core/admin/resource';
import { lockChat } from './chat';

export const deleteAdminChatLink: Handler<'deleteAdminChatLink'> = ({ path, ctx }) =>
  removeRow(ctx, { singular: 'chat' }, path.id, {
    kind: 'chat',
    action: 'chat.unlink',
    table: 'chats',
    lock: (trx, id: number) => lockChat(trx, ctx, id),
    kept: ['title', 'kind'],
  });
