import { findCvm } from '../../db/cvms/cvmLookup';
import { Problem } from '../../domain/core/problem';
import { McpError, type McpAddress, type McpErrorKind } from '../../drivers/mcp';
import { loadFacts } from '../core/analyzer';
import { teamOf } from '../core/caller';
import { checkHeaderKey } from '../core/headerKey';
import { InProgress } from '../core/inProgress';
import { connectTo, ownUrl } from '../network/reachability';
import type { Context } from '../types';

const requests = new InProgress(
  { team: 4, all: 64 },
  'Too many requests to MCP servers are in progress. Try again in 10 s.',
);

interface Place {
  port: number;
  path: string;
  key?: string;
}

/**
 * Finds the team's running CVM and runs `work` with its MCP server's address.
 * @throws {Problem} also for errors from the server
 */
export async function withMcpServer<T>(
  ctx: Context,
  cvm_id: string,
  { port, path, key }: Place,
  work: (address: McpAddress, vm_uuid: string) => Promise<T>,
): Promise<T> {
  const team = teamOf(ctx);
  const row = await findCvm(ctx.db, team.id, cvm_id);
  if (row.cvm.status !== 'running')
    throw new Problem('WRONG_STATE', {
      message: `The CVM is ${row.cvm.status}, so its MCP server can't answer.`,
      suggestions: ['Start the CVM first.'],
    });
  if (key !== undefined) checkHeaderKey(key, 'key');
  await loadFacts(ctx, row.revision);
  const url = new URL(ownUrl(row, port));
  // Set directly, not resolved as a relative URL: //name would be another host.
  url.pathname = path;
  const leave = requests.enter(team.id);
  try {
    return await work({ ...connectTo(row, url.href), key: key ?? null }, row.cvm.vm_uuid);
  } catch (error) {
    if (error instanceof McpError) throw problemOf(error, key !== undefined);
    throw error;
  } finally {
    leave();
  }
}

const SUGGESTIONS: Readonly<Record<Exclude<McpErrorKind, 'key'>, string>> = {
  unreachable: "Check that the server listens on this port, and that the CVM's address works.",
  not_ready: 'It may still be starting or installing: its logs say more. Then try again.',
  busy: 'Wait a minute, then try again.',
  no_mcp: "Check the port and path of the server's endpoint. The path is usually /mcp.",
  no_usage:
    'Check the port. Only servers from the MCP templates, and the bridge in front of your own server, report usage.',
  refused: "Check the server's logs.",
};

function problemOf(error: McpError, had_key: boolean): Problem {
  const { kind, message } = error;
  if (kind === 'key') {
    const text = had_key ? 'The MCP server rejects this key.' : 'The MCP server requires a key.';
    return new Problem('VALIDATION_FAILED', {
      message: text,
      details: [{ field: 'key', message: text }],
      cause: error,
    });
  }
  return new Problem('UPSTREAM_UNREACHABLE', {
    message,
    suggestions: [SUGGESTIONS[kind]],
    cause: error,
  });
}
