import type { Handler } from '../types';
import { changeTeepodTeam } from './teepodTeam';

export const allowTeepodTeam: Handler<'allowTeepodTeam'> = async ({ path, body, ctx }) =>
  ctx.write((write) => changeTeepodTeam(write, { path, body }, 'allow'));
