import { hostProblem } from './hostProblem';
import { logTarget } from './logTarget';
import type { Handler } from '../types';

export const getCvmLogs: Handler<'getCvmLogs'> = async ({ path, query, ctx }) => {
  const request = { vm_uuid: path.vm_uuid, token: query.token };
  const { target, reader } = await logTarget(ctx, request, ['cvm']);
  const { host_vm_id, teepod } = target;
  const content_type = 'text/plain; charset=utf-8';
  // Nothing has been written yet, so the log is empty.
  if (host_vm_id === null) return { status: 200, content_type, stream: nothing() };
  const lines = query.tail ?? query.lines;
  const stream = await ctx.vmm
    .get(teepod)
    .logs({
      id: host_vm_id,
      channel: query.ch ?? 'serial',
      follow: query.follow ?? false,
      ansi: query.ansi ?? false,
      ...(lines === undefined ? {} : { lines }),
      signal: ctx.signal,
    })
    .catch((error: unknown) => Promise.reject(hostProblem(error, teepod.name)));
  return { status: 200, content_type, stream, reader };
};

async function* nothing(): AsyncGenerator<string> {}
