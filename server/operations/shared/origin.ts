import { deviceOf } from '../../domain/device';
import type { Origin } from '../../domain/mail';
import { placeOf } from '../../domain/place';
import type { Context } from '../types';

const known = (text: string) => (text === '' || text === 'Unknown' ? null : text);

/** Where a request came from, as mails tell it. */
export const originOf = (ctx: Pick<Context, 'ip' | 'user_agent'>): Origin => ({
  at: new Date(),
  ip: known(ctx.ip),
  device: known(deviceOf(ctx.user_agent)),
  place: known(placeOf(ctx.ip)),
});
