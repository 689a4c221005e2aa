import { deviceOf } from '../../domain/accounts/device';
import type { Origin } from '../../domain/notifications/mail';
import { placeOf } from '../../domain/core/country';
import type { Context } from '../types';

const known = (text: string) => (text === '' || text === 'Unknown' ? null : text);

/** Returns where a request came from, as emails state it. */
export const originOf = (ctx: Pick<Context, 'ip' | 'user_agent'>): Origin => ({
  at: new Date(),
  ip: known(ctx.ip),
  device: known(deviceOf(ctx.user_agent)),
  place: known(placeOf(ctx.ip)),
});
