import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { cardSettings } from './cardSettings';

export const getCardSettings: Handler<'getCardSettings'> = async ({ ctx }) => ({
  status: 200,
  body: await cardSettings(ctx.db, teamOf(ctx).id),
});
