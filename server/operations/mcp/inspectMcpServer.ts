import type { Handler } from '../types';
import { withMcpServer } from './reach';

export const inspectMcpServer: Handler<'inspectMcpServer'> = ({ path, body, ctx }) =>
  withMcpServer(ctx, path.cvm_id, body, async (address) => ({
    status: 200,
    body: await ctx.mcp.inspect(address, ctx.signal),
  }));
