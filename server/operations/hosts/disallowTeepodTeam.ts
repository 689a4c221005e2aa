import type { Handler } from '../types';
import { changeTeepodTeam } from './teepodTeam';

export const disallowTeepodTeam: Handler<'disallowTeepodTeam'> = async ({ path, body, ctx }) =>
  ctx.write((write) => changeTeepodTeam(write, { path, body }, 'disallow'));
