import type { Handler } from '../types';
import { chatOut } from './chat';

export const getAdminChat: Handler<'getAdminChat'> = async ({ ctx }) => ({
  status: 200,
  body: await chatOut(ctx.db, ctx),
});
