import type { Handler } from '../types';
import { withMcpServer } from './reach';

export const callMcpTool: Handler<'callMcpTool'> = ({ path, body, ctx }) =>
  withMcpServer(ctx, path.cvm_id, body, async (address, vm_uuid) => {
    const { tool, port } = body;
    // Audited before the call, so that no call is missing. Arguments and result may be secrets.
    await ctx.write(({ audit }) =>
      audit({ action: 'cvm.mcp_call', target_kind: 'cvm', target_id: vm_uuid, after: { tool, port } }),
    );
    const began = Date.now();
    const result = await ctx.mcp.call(address, { tool, arguments: body.arguments }, ctx.signal);
    return { status: 200, body: { ...result, ms: Math.min(600_000, Date.now() - began) } };
  });
