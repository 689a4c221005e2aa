import type { Handler } from '../types';
import { withMcpServer } from './reach';

export const readMcpUsage: Handler<'readMcpUsage'> = ({ path, body, ctx }) =>
  withMcpServer(ctx, path.cvm_id, { ...body, path: '/usage' }, async (address) => ({
    status: 200,
    body: await ctx.mcp.usage(address, ctx.signal),
  }));
